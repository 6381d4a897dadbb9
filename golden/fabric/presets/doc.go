// Package presets is the catalogue of named runs, and reads files that hold settings over one of them.
//
//	p, err := presets.Lookup("fattree128/permutation")
//	s, err := presets.Load("run.yaml")      // s.Spec, and s.Messages when the file lists flows
package presets
