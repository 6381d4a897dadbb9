package elastic

// Probe resets a device and offers it an event of zeros on every input stream until one of them is ready. It
// errors with ErrNeverReady when none is within Spec.Patience, and with the device's own error. The device
// must be restarted afterwards.
func Probe(dev Device, spec Spec) error {
	p := newPlayer(dev, nil, &spec)
	for range spec.ResetCycles {
		if err := dev.Step(p.in, p.out); err != nil {
			return err
		}
	}
	p.in[0] = p.rstN
	var watch uint64
	for _, s := range p.ins {
		p.in[0] |= s.Valid
		watch |= s.Ready
	}
	for _, s := range p.outs {
		p.in[0] |= s.Ready
	}
	for cycles := 0; cycles < spec.Patience; {
		n, err := dev.StepUntil(p.in, p.many, watch)
		if err != nil {
			return err
		}
		if p.many[(n-1)*p.outWords]&watch != 0 {
			return nil
		}
		cycles += n
	}
	return spec.Refused(&Finding{Stream: 0, Cycle: uint64(spec.Patience)})
}
