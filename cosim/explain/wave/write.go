package wave

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
	"github.com/goldwire/goldwire/vectors/event"
)

// Files are what Write has written.
type Files struct {
	Wave, GTKWave, Surfer string
}

// Write writes the wave to path, which ends in .vcd, with the signals of the design from its dump. Beside it, it writes
// the files that open it in a viewer with the cursor at a cycle. It returns an error if there is no cycle, or if a file
// cannot be written.
func (w *Wave) Write(path, dump string, cursor uint64) (*Files, error) {
	if !w.begun {
		return nil, fmt.Errorf("%s: it would show no cycle", path)
	}
	base := strings.TrimSuffix(path, ".vcd")
	f := &Files{Wave: path, GTKWave: base + ".gtkw", Surfer: base + ".sucl"}
	enums, err := w.enums(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	for _, x := range []struct {
		path string
		to   func(io.Writer) error
	}{
		{path, func(to io.Writer) error { return w.merge(to, dump) }},
		{f.GTKWave, func(to io.Writer) error { return w.gtkwave(to, f, enums, cursor) }},
		{f.Surfer, func(to io.Writer) error { return w.surfer(to, f, cursor) }},
	} {
		if err := write(x.path, x.to); err != nil {
			return nil, err
		}
	}
	return f, nil
}

func write(path string, to func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := to(f); err != nil {
		f.Close()
		return fmt.Errorf("%s: %w", path, err)
	}
	return f.Close()
}

func (w *Wave) merge(to io.Writer, dump string) error {
	src, err := os.Open(dump)
	if err != nil {
		return err
	}
	defer src.Close()
	return vcd.Merge(to, src, &w.tracks, (w.last+1)*vcd.CycleTime)
}

// enums writes the codes of each enum as both viewers read them, and returns GTKWave's files by the enum's name.
func (w *Wave) enums(dir string) (map[string]string, error) {
	mappings, filters := filepath.Join(dir, ".surfer", "mappings"), filepath.Join(dir, "enums")
	for _, d := range []string{mappings, filters} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	out := map[string]string{}
	for i := range w.block.Enums {
		e := &w.block.Enums[i]
		name := w.block.Name + "." + e.Name
		out[e.Name] = filepath.Join(filters, name+".txt")
		if err := os.WriteFile(out[e.Name], filter(e), 0o644); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(mappings, name), mapping(name, e), 0o644); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// filter is a translation of GTKWave: the digits that it would show, in hexadecimal, and what it shows for them.
func filter(e *event.Enum) []byte {
	var b strings.Builder
	for _, v := range e.Values {
		fmt.Fprintf(&b, "%0*X %s\n", (e.Width+3)/4, v.Value, v.Name)
	}
	return []byte(b.String())
}

// mapping is a mapping of Surfer.
func mapping(name string, e *event.Enum) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "Name = %s\nBits = %d\n", name, e.Width)
	for _, v := range e.Values {
		fmt.Fprintf(&b, "%d %s\n", v.Value, v.Name)
	}
	return []byte(b.String())
}
