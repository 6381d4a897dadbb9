package export

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// Sink takes the files of an export by name.
type Sink func(name string) (io.WriteCloser, error)

// Kinds lists the known forms, in order.
var Kinds = []string{"readmemh", "csv", "jsonl", "sv", "vhdl", "python"}

// Write rewrites the remaining records of a reader in one of Kinds. It returns an error when the file is damaged; the
// output in the sink is then incomplete and must be discarded.
func Write(ctx context.Context, sink Sink, kind string, r *format.Reader) (format.Totals, error) {
	x := &exporter{ctx: ctx, sink: sink, r: r, b: r.Block(), l: r.Layout()}
	var err error
	if x.masks, err = event.NewMasks(x.b, x.l, r.Header().Params); err != nil {
		return r.Totals(), fmt.Errorf("block %s: %w", x.b.Name, err)
	}
	switch kind {
	case "readmemh":
		err = x.memory()
	case "csv":
		err = x.csv()
	case "jsonl":
		err = x.jsonl()
	case "sv":
		err = x.sv()
	case "vhdl":
		err = x.vhdl()
	case "python":
		err = x.python()
	default:
		err = fmt.Errorf("export to %q: unknown; known forms: %s", kind, strings.Join(Kinds, ", "))
	}
	return r.Totals(), err
}

type exporter struct {
	ctx  context.Context
	sink Sink
	r    *format.Reader
	b    *event.Block
	l    *event.Layout

	masks *event.Masks      // of the schema; nil for none
	valid map[string]uint64 // records in which each output stream is valid
}

// file is one output, buffered.
type file struct {
	c io.WriteCloser
	*bufio.Writer
}

func (x *exporter) create(name string) (*file, error) {
	c, err := x.sink(name)
	if err != nil {
		return nil, err
	}
	return &file{c, bufio.NewWriterSize(c, 1<<16)}, nil
}

func (f *file) close() error {
	err := f.Flush()
	if e := f.c.Close(); err == nil {
		err = e
	}
	return err
}

// write writes a file.
func (x *exporter) write(name string, write func(f *file) error) error {
	f, err := x.create(name)
	if err != nil {
		return err
	}
	err = write(f)
	if e := f.close(); err == nil {
		err = e
	}
	return err
}

// text writes a small file.
func (x *exporter) text(name, text string) error {
	return x.write(name, func(f *file) error {
		_, err := f.WriteString(text)
		return err
	})
}

// each calls do for every record, with the name of its episode.
func (x *exporter) each(do func(rec *format.Record, episode string) error) error {
	episode := ""
	for rec, err := range x.r.All() {
		if err != nil {
			return err
		}
		if rec.Mark != nil {
			episode = rec.Mark.Name
		}
		if rec.Number&0xfff == 0 && x.ctx.Err() != nil {
			return context.Cause(x.ctx)
		}
		if err := do(rec, episode); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) lines(name, head string, line func(dst []byte, rec *format.Record, episode string) []byte) error {
	return x.write(name, func(f *file) error {
		if _, err := f.WriteString(head); err != nil {
			return err
		}
		var buf []byte
		return x.each(func(rec *format.Record, episode string) error {
			buf = line(buf[:0], rec, episode)
			_, err := f.Write(buf)
			return err
		})
	})
}

func (x *exporter) jsonl() error {
	t := NewTable(x.b, x.r.Header().Per)
	if err := x.lines(x.b.Name+".jsonl", "", t.AppendLine); err != nil {
		return err
	}
	return x.columns(t)
}

// csv writes one row per record. Fields of a stream that carries nothing are empty.
func (x *exporter) csv() error {
	per := x.r.Header().Per
	t := NewTable(x.b, per)
	head := per + ",episode"
	for i := range t.Columns {
		head += "," + t.Columns[i].Name
	}
	err := x.lines(x.b.Name+".csv", head+"\n", func(dst []byte, rec *format.Record, episode string) []byte {
		dst = strconv.AppendUint(dst, rec.Number, 10)
		dst = append(dst, ',')
		if strings.ContainsAny(episode, ",\"\n\r") {
			episode = `"` + strings.ReplaceAll(episode, `"`, `""`) + `"`
		}
		dst = append(dst, episode...)
		for i := range t.Columns {
			dst = append(dst, ',')
			if c := &t.Columns[i]; c.Present(rec) {
				dst = c.AppendText(dst, rec)
			}
		}
		return append(dst, '\n')
	})
	if err != nil {
		return err
	}
	return x.columns(t)
}

// appendWord appends a record as one hex word, most significant digit first, and a newline.
func appendWord(dst []byte, record []uint64) []byte {
	for w := len(record) - 1; w >= 0; w-- {
		for s := 60; s >= 0; s -= 4 {
			dst = append(dst, hexDigits[record[w]>>s&15])
		}
	}
	return append(dst, '\n')
}

// images writes in.hex and out.hex, and mask.hex if the schema has masks.
func (x *exporter) images() error {
	in, err := x.create("in.hex")
	if err != nil {
		return err
	}
	files := []*file{in}
	defer func() {
		for _, f := range files {
			f.c.Close()
		}
	}()
	out, err := x.create("out.hex")
	if err != nil {
		return err
	}
	files = append(files, out)
	var mask *file
	if x.masks != nil {
		if mask, err = x.create("mask.hex"); err != nil {
			return err
		}
		files = append(files, mask)
	}
	var buf []byte
	write := func(f *file, words []uint64) error {
		buf = appendWord(buf[:0], words)
		_, err := f.Write(buf)
		return err
	}
	x.valid = map[string]uint64{}
	err = x.each(func(rec *format.Record, _ string) error {
		for _, s := range x.b.StreamsOf(event.Out) {
			if rec.Out[0]&x.l.Out.Control(s.Name+"_valid") != 0 {
				x.valid[s.Name]++
			}
		}
		if err := write(in, rec.In); err != nil {
			return err
		}
		if err := write(out, rec.Out); err != nil || mask == nil {
			return err
		}
		return write(mask, x.compared(rec.Out))
	})
	for _, f := range files {
		if e := f.close(); err == nil {
			err = e
		}
	}
	files = nil
	return err
}

// compared returns ones in the bits of an output record that are compared.
func (x *exporter) compared(out []uint64) []uint64 {
	m := make([]uint64, len(out))
	for w := range m {
		m[w] = ^uint64(0)
	}
	for i, s := range x.b.StreamsOf(event.Out) {
		if out[0]&x.l.Out.Control(s.Name+"_valid") != 0 {
			all := slices.Clone(m)
			x.masks.Clear(i, out, m)
			x.masks.Count(i, all, m)
		}
	}
	return m
}

// memory writes the images with the tables that describe their bits.
func (x *exporter) memory() error {
	if err := x.images(); err != nil {
		return err
	}
	if err := x.text("layout.md", x.layoutTable()); err != nil {
		return err
	}
	text, err := x.layoutJSON()
	if err != nil {
		return err
	}
	return x.text("layout.json", text)
}

func (x *exporter) python() error {
	if err := x.memory(); err != nil {
		return err
	}
	return x.text("goldwire_vectors.py", pythonReader)
}
