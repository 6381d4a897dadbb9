package fault

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/cosim/audit/fault/sv"
)

//go:embed catalog/*.yaml
var catalogs embed.FS

// Ready returns an ErrFault that names the missing part when a campaign on the block is impossible: without RTL there
// is nothing to plant faults in, and without a catalogue there are no hand-written faults to plant.
func Ready(root, block string) error {
	rtl, err := launch.ReadRTL(filepath.Join(root, "hdl", "rtl"))
	if err != nil {
		return fmt.Errorf("%w: block %s has no RTL: %w", ErrFault, block, err)
	}
	if rtl.Module(block) == "" {
		return fmt.Errorf("%w: block %s has no RTL: no %s.sv in hdl/rtl", ErrFault, block, block)
	}
	if _, err := catalogs.Open("catalog/" + block + ".yaml"); err != nil {
		return fmt.Errorf("%w: block %s has no catalogue of hand-written faults", ErrFault, block)
	}
	return nil
}

// entry is a hand-written fault in a catalogue.
type entry struct {
	Name    string `yaml:"name"`
	Rule    string `yaml:"rule"` // rule of the contract or of timing.md
	File    string `yaml:"file"`
	Find    string `yaml:"find"` // occurs in the file exactly once
	Replace string `yaml:"replace"`
	Why     string `yaml:"why"` // the designer's mistake
}

// Catalog returns the hand-written faults of the block, in the order of its catalogue, applied to the RTL. It returns
// an error that names the fault and the file when a fault no longer fits the RTL.
func (d *Design) Catalog() ([]*Fault, error) {
	text, err := catalogs.ReadFile("catalog/" + d.Block + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("%w: block %s has no catalogue of hand-written faults", ErrFault, d.Block)
	}
	var all []entry
	if err := Strict(text, &all); err != nil {
		return nil, fmt.Errorf("%w: catalogue of block %s: %w", ErrFault, d.Block, err)
	}
	var out []*Fault
	var errs []error
	seen := map[string]bool{}
	for _, e := range all {
		f, err := d.apply(e)
		if err == nil && seen[e.Name] {
			err = fmt.Errorf("%w: hand-written fault %s appears twice in the catalogue", ErrFault, e.Name)
		}
		seen[e.Name] = true
		out, errs = append(out, f), append(errs, err)
	}
	return out, errors.Join(errs...)
}

// apply locates a hand-written fault in the RTL.
func (d *Design) apply(e entry) (*Fault, error) {
	if e.Name == "" || e.Rule == "" || e.File == "" || e.Find == "" || e.Why == "" || e.Find == e.Replace {
		return nil, fmt.Errorf("%w: hand-written fault %q of block %s lacks one of name, rule, file, find, replace, "+
			"why", ErrFault, e.Name, d.Block)
	}
	m := d.Module(e.File)
	if m == nil {
		return nil, fmt.Errorf("%w: hand-written fault %s: block %s has no module in %s", ErrFault, e.Name, d.Block, e.File)
	}
	if n := strings.Count(m.Text, e.Find); n != 1 {
		return nil, fmt.Errorf("%w: hand-written fault %s: its text occurs %d times in %s, not once; update the "+
			"catalogue: %s", ErrFault, e.Name, n, e.File, oneLine(e.Find))
	}
	start := strings.Index(m.Text, e.Find)
	end := start + len(e.Find)
	text := e.Replace
	// Only the difference counts: text added only to make find unique must not prevent a guard.
	for start < end && text != "" && m.Text[start] == text[0] {
		start, text = start+1, text[1:]
	}
	for end > start && text != "" && m.Text[end-1] == text[len(text)-1] {
		end, text = end-1, text[:len(text)-1]
	}
	f := &Fault{Block: d.Block, Class: Hand, Name: e.Name, Rule: e.Rule, Why: e.Why, start: start, end: end, text: text,
		module: m, site: siteOf(m, start, end)}
	f.place()
	return f, nil
}

// Find returns a fault by name, or by its number in the draw of a seed.
func (d *Design) Find(id string, seed uint64) (*Fault, error) {
	if n, err := strconv.Atoi(id); err == nil {
		drawn := d.Draw(seed)
		if n < 1 || n > len(drawn) {
			return nil, fmt.Errorf("%w: number %d: block %s has drawn faults 1 to %d", ErrFault, n, d.Block, len(drawn))
		}
		return drawn[n-1], nil
	}
	hand, err := d.Catalog()
	if err != nil {
		return nil, err
	}
	for _, f := range hand {
		if f.Name == id {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%w: block %s has no hand-written fault %q; goldwire faults list --block %s shows them",
		ErrFault, d.Block, id, d.Block)
}

// siteOf returns the site that contains the bytes start..end of a module, or nil.
func siteOf(m *sv.Module, start, end int) *sv.Site {
	if i := slices.IndexFunc(m.Sites, func(s *sv.Site) bool { return s.Start <= start && end <= s.End }); i >= 0 {
		return m.Sites[i]
	}
	return nil
}
