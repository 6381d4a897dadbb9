// Package drive plays an episode at the ports of a block: it turns its items into input records, one a cycle, and keeps
// the rules of valid and ready. What to drive next depends on ready, so the driver is given the output records of a
// cycle-true model, or of a device.
//
//	d := drive.NewDriver(layout)
//	d.Begin(ep)
//	for d.Drive(in) {
//		model.Cycle(in, out)
//		d.Observe(out)
//	}
package drive
