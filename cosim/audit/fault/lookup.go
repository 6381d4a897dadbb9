package fault

import (
	"bytes"
	"fmt"

	"go.yaml.in/yaml/v3"
)

// Argument is an entry of survivors.yaml: a fault, identified by content, and why no stimulus can find it.
type Argument = argument

// Arguments returns the entries of survivors.yaml of every block, in their order.
func Arguments() ([]Argument, error) {
	dec := yaml.NewDecoder(bytes.NewReader(survivorsYAML))
	dec.KnownFields(true)
	var all []Argument
	if err := dec.Decode(&all); err != nil {
		return nil, fmt.Errorf("%w: survivors.yaml: %w", ErrFault, err)
	}
	return all, nil
}

// Lookup returns the fault of an argument. It returns an error when the RTL no longer holds it.
func (d *Design) Lookup(a Argument) (*Fault, error) {
	want := key{a.File, a.Operator, a.Before, a.After}
	for _, f := range d.All() {
		if f.key() == want {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%w: block %s, %s: %s -> %s is no longer a fault of the RTL", ErrFault, a.Block, a.File,
		a.Before, a.After)
}

// Module returns the name of the module that holds the fault.
func (f *Fault) Module() string { return f.module.Name }

// Planted returns the text of the fault's file with the fault.
func (f *Fault) Planted() string { return f.planted() }

// Original returns the text of the fault's file without it.
func (f *Fault) Original() string { return f.module.Text }
