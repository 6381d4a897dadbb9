// Package merge makes one vector file of several of one block, one after the other.
//
//	h, err := merge.Header(files)
//	totals, err := merge.Files(w, h, files)
package merge

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// Files writes the records of the files one after the other. They must be of the same block, schema, parameters and
// kind of record, compare the same bits, and each begin with a reset: Header checks that.
func Files(w io.Writer, h format.Header, files []tool.File) (format.Totals, error) {
	fw, err := format.NewWriter(w, h)
	if err != nil {
		return format.Totals{}, err
	}
	for i := range files {
		if err := add(fw, &files[i]); err != nil {
			return format.Totals{}, err
		}
	}
	return fw.Close()
}

func add(w *format.Writer, f *tool.File) error {
	r, done, err := f.Open()
	if err != nil {
		return err
	}
	defer done()
	return f.Each(r, func(rec *format.Record) (bool, error) { return true, tool.Copy(w, rec) })
}

// Header reads every file once, to make sure that all are sound and can be merged, and returns the header of the merged
// file. It leaves out what they do not have in common, such as the seed.
func Header(files []tool.File) (format.Header, error) {
	var h format.Header
	var first *event.Block
	var sources, generators []string
	args := []string{"vectors", "merge"}
	for i := range files {
		x, b, digest, err := look(&files[i])
		if err != nil {
			return h, err
		}
		if i == 0 {
			h, first = *x, b
		}
		if err := alike(&files[i], x, &files[0], &h); err != nil {
			return h, err
		}
		if err := x.SameComparison(files[i].Name, b, &h, files[0].Name, first); err != nil {
			return h, fmt.Errorf("%w; only files that compare the same can be merged", err)
		}
		args = append(args, digest[:16])
		if !slices.Contains(sources, x.Source) {
			sources = append(sources, x.Source)
		}
		if !slices.Contains(generators, x.Generator) {
			generators = append(generators, x.Generator)
		}
		if x.Seed != h.Seed {
			h.Seed = 0
		}
		if x.Level != h.Level {
			h.Level = ""
		}
	}
	h.Source, h.Generator, h.Args = strings.Join(sources, "+"), strings.Join(generators, "+"), args
	return h, nil
}

// look reads a file to its end and returns its header, its block and the digest of its contents.
func look(f *tool.File) (*format.Header, *event.Block, string, error) {
	r, done, err := f.Open()
	if err != nil {
		return nil, nil, "", err
	}
	defer done()
	first, rstN := true, r.Layout().Reset()
	err = f.Each(r, func(rec *format.Record) (bool, error) {
		if first && rec.In[0]&rstN != 0 {
			return false, fmt.Errorf("%s: it does not begin with a reset, so it cannot follow another", f.Name)
		}
		first = false
		return true, nil
	})
	if err != nil {
		return nil, nil, "", err
	}
	return r.Header(), r.Block(), r.Totals().Digest, nil
}

// alike returns why a file with header x cannot follow one with header h.
func alike(f *tool.File, x *format.Header, first *tool.File, h *format.Header) error {
	differ := func(what string, u, v any) error {
		return fmt.Errorf("%s: %s %v, but %s has %v; only files of one kind can be merged", f.Name, what, u, first.Name,
			v)
	}
	switch {
	case x.Block != h.Block:
		return differ("block", x.Block, h.Block)
	case x.SchemaHash != h.SchemaHash:
		return differ("schema", x.SchemaHash, h.SchemaHash)
	case x.Per != h.Per || x.Pairing != h.Pairing:
		return differ("records per", x.Per, h.Per)
	case !maps.Equal(x.Params, h.Params):
		return differ("parameters", x.Params, h.Params)
	}
	return nil
}
