package fabric

// Contexts returns the constants of the contexts that a run of spec has from its start, in the order of their
// creation: all of them in a permutation or an incast, none where messages make contexts when they come. It
// errors as Run does.
func Contexts(spec Spec) ([]CCConfig, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	var out []CCConfig
	_, err := build(spec, func(cfg CCConfig) (CC, error) {
		out = append(out, cfg)
		return &fixedWindow{mtu: int64(cfg.MTU)}, nil
	})
	return out, err
}
