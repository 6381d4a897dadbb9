package cc

import "github.com/goldwire/goldwire/golden/cc/mnscc"

// mnsccCC is an nsccCC whose ACKs are judged by a median.
type mnsccCC struct {
	nsccCC
	shown
}

// MNSCC returns a factory of MNSCC contexts, configured as those of NSCC. edit, when not nil, may change the defaults.
func MNSCC(edit func(*mnscc.Spec)) Factory {
	of := func(*Config) mnscc.Spec { return mnscc.DefaultSpec() }
	return factory(of, edit, func(cfg *Config, spec *mnscc.Spec) (Control, error) {
		p, err := nsccParams(cfg, nil)
		if err != nil {
			return nil, err
		}
		f := mnscc.NewState(&p)
		return &mnsccCC{nsccCC{params: p, state: &f.State, median: &f, spec: spec}, shown{spec, f.Fields}}, nil
	})
}
