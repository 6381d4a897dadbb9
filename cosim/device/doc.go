// Package device builds and starts the RTL of a run, ours or a design that a dut.yaml binds, and checks what must hold
// before anything is compared: its reset, and that it takes events at all.
//
//	dev, err := device.Start(ctx, device.Spec{Root: root, Block: "ccc", Params: params, Transport: client.Shm})
//	if err == nil {
//		defer dev.Close()
//		err = dev.Restart(seed)
//	}
package device
