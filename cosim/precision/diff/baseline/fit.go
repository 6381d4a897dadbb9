package baseline

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// ErrUnfit is wrapped by every error about sides that cannot be compared.
var ErrUnfit = errors.New("cannot be compared")

// Tree is what the tree has now.
type Tree struct {
	Block string
	Hashes
	Format map[string]string // by the name of a value: its format in the contract
}

// Fits returns an error that lists what changed in the tree since the file was made.
func (f *File) Fits(now *Tree) error {
	if f.Block != now.Block {
		return fmt.Errorf("%w: it is of block %s, not of %s", ErrUnfit, f.Block, now.Block)
	}
	var what []string
	changed := func(name, was, is string) {
		if was != is {
			what = append(what, fmt.Sprintf("%s (was %s, is %s)", name, was, is))
		}
	}
	changed("the schema", f.Schema, now.Schema)
	changed("contract.md", f.Contract, now.Contract)
	if f.Formats != now.Formats {
		changed("formats.yaml"+f.moved(now), f.Formats, now.Formats)
	}
	if len(what) == 0 {
		return nil
	}
	return fmt.Errorf("%w: since the baseline was saved there changed: %s; look at the differences and save it anew "+
		"(goldwire diff save -o FILE)", ErrUnfit, strings.Join(what, ", "))
}

// moved names the formats of the contract that changed.
func (f *File) moved(now *Tree) string {
	own := map[string]string{}
	for _, c := range f.Changed {
		own[c.Name] = c.Contract
	}
	var out []string
	seen := map[string]bool{}
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Kind != Signal || seen[l.Name] {
			continue
		}
		seen[l.Name] = true
		was := l.Format
		if c, ok := own[l.Name]; ok {
			was = c
		}
		if is, ok := now.Format[l.Name]; !ok {
			out = append(out, l.Name+" is gone")
		} else if is != was {
			out = append(out, fmt.Sprintf("%s was %s, is %s", l.Name, was, is))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ": " + strings.Join(out, "; ")
}

// sameStimulus returns an error when two files did not play the same.
func sameStimulus(a, b *File) error {
	unfit := func(format string, args ...any) error {
		return fmt.Errorf("%w: "+format, append([]any{ErrUnfit}, args...)...)
	}
	switch {
	case a.Block != b.Block:
		return unfit("A is of block %s, B of %s", a.Block, b.Block)
	case a.Schema != b.Schema:
		return unfit("the schema of A is %s, that of B %s", a.Schema, b.Schema)
	}
	other := map[string]*Stimulus{}
	for i := range b.Stimulus {
		other[b.Stimulus[i].Source] = &b.Stimulus[i]
	}
	for i := range a.Stimulus {
		s := &a.Stimulus[i]
		o := other[s.Source]
		if o == nil {
			return unfit("B did not play the source %s, which A has", s.Source)
		}
		delete(other, s.Source)
		switch {
		case s.Seed != o.Seed || s.TickNs != o.TickNs || !maps.Equal(s.Params, o.Params):
			return unfit("source %s: A has seed %d, tick %d ns, %v, B has seed %d, tick %d ns, %v", s.Source,
				s.Seed, s.TickNs, s.Params, o.Seed, o.TickNs, o.Params)
		case s.Events != o.Events:
			return unfit("source %s: A has %d events, B %d", s.Source, s.Events, o.Events)
		case s.Hash != o.Hash:
			return unfit("source %s: its events changed: their hash is %s in A, %s in B; save the baseline anew", s.Source,
				s.Hash, o.Hash)
		}
	}
	for name := range other {
		return unfit("A did not play the source %s, which B has", name)
	}
	return nil
}
