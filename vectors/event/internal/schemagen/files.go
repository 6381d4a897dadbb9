package schemagen

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"sort"

	"github.com/goldwire/goldwire/vectors/event"
)

// File is one generated file; Path is relative to the repository's root, with slashes.
type File struct {
	Path string
	Text []byte
}

// Generate returns the files of one block in a fixed order.
func Generate(b *event.Block) ([]File, error) {
	l := event.NewLayout(b)
	dir, gen := "vectors/event/"+b.Name+"/", "hdl/gen/"+b.Name
	files := []File{
		{gen + "_pkg.sv", svPackage(b)},
		{gen + "_types.sv", svTypes(b)},
		{gen + "_top.sv", svTop(b)},
		{gen + "_ports.h", cppPorts(b, l)},
		{dir + "doc.go", goDoc(b)},
		{dir + "event_gen.go", goEvent(b, l)},
		{dir + "fields.md", markdown(b, l)},
	}
	if withPorts(b) {
		files = append(files, File{"rtlmodel/" + b.Name + "/ports_gen.go", goModel(b)})
	}
	for i, f := range files {
		if filepath.Ext(f.Path) != ".go" {
			continue
		}
		text, err := format.Source(f.Text)
		if err != nil {
			return nil, fmt.Errorf("schema %s: the Go text generated from it does not parse: %w", b.Name, err)
		}
		files[i].Text = text
	}
	return files, nil
}

// Schemas returns the schema files under root/vectors/event, sorted.
func Schemas(root string) ([]string, error) {
	paths, err := filepath.Glob(filepath.Join(root, "vectors", "event", "*", "schema.yaml"))
	if err != nil {
		return nil, fmt.Errorf("schema search: %w", err)
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("no vectors/event/<block>/schema.yaml under %s: give the repository's root", root)
	}
	sort.Strings(paths)
	return paths, nil
}

// All returns the files of every block under root. A schema must stand in the folder of its block.
func All(root string) ([]File, error) {
	paths, err := Schemas(root)
	if err != nil {
		return nil, err
	}
	var out []File
	for _, p := range paths {
		b, err := event.Load(p)
		if err != nil {
			return nil, err
		}
		if dir := filepath.Base(filepath.Dir(p)); dir != b.Name {
			return nil, fmt.Errorf("%s: block %q stands in the folder %q: one block has one name", p, b.Name, dir)
		}
		files, err := Generate(b)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}

// Write writes those files under root whose text differs, so that build times stay true.
func Write(root string, files []File) (changed []string, err error) {
	for _, f := range files {
		path := filepath.Join(root, filepath.FromSlash(f.Path))
		if old, err := os.ReadFile(path); err == nil && string(old) == string(f.Text) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return changed, fmt.Errorf("folder of %s: %w", f.Path, err)
		}
		if err := os.WriteFile(path, f.Text, 0o644); err != nil {
			return changed, fmt.Errorf("generated file %s: %w", f.Path, err)
		}
		changed = append(changed, f.Path)
	}
	return changed, nil
}
