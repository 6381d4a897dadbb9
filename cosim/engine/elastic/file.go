package elastic

import (
	"fmt"
	"io"
	"slices"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
)

// File is a vector file per transaction as both sides of a run: a stim.Source of its events and, through Owed,
// the Expect of its responses. An episode also ends where the file resets the block; its later parts are called NAME+1,
// NAME+2 and so on. The transfers of a record are offered together, those of the next record after they were accepted.
//
// The file's answers do not depend on time, so that idles, back-pressure and resets are drawn as for any source. Where
// each event has one answer, a part may be reset in the middle; it is then played again from its first event.
type File struct {
	StartOnly bool // no resets in mid-part: the device has none, or the schema allows a reset that does not clear all

	r         *format.Reader
	ins, outs []port
	rstN      uint64
	answers   bool // one response per event: what is owed is known by counting

	rec      *format.Record // read and not taken apart; nil: none
	err      error          // io.EOF at the end
	begun    bool           // a part was begun
	name     string         // of the episode in the file
	seed     uint64
	part     int
	alone    string // the only part to be played, "" for all
	items    []stim.Item
	again    []stim.Item // to be played once more from the start, after the reset in mid-part
	owed     queues
	at       []int // by output stream: how many of owed were given
	keep     bool  // a reset in mid-part is to come, which makes all of owed due again
	anew     bool  // the last reset was the one in mid-part
	accepted int
	given    int
}

// NewFile returns the source of a file per transaction, or of the one part of it that is named.
func NewFile(r *format.Reader, alone string) *File {
	f := &File{r: r, rstN: r.Layout().Reset(), answers: r.Header().Pairing == format.PairAnswers, alone: alone}
	f.ins, f.outs = portsOf(r.Layout())
	f.owed, f.at = make(queues, len(f.outs)), make([]int, len(f.outs))
	f.read()
	return f
}

func (f *File) read() {
	f.rec = nil
	if f.err == nil {
		f.rec, f.err = f.r.Next()
	}
}

// begins reports whether the record at hand begins a part.
func (f *File) begins() bool { return f.rec.Mark != nil || f.rec.In[0]&f.rstN == 0 }

// Next returns the next part.
func (f *File) Next() (*stim.Episode, bool) {
	for first := true; f.rec != nil; first = false {
		// Skip what is left of the previous part, if it was given up.
		if f.begun || !first {
			for f.rec != nil && !f.begins() {
				f.read()
			}
		}
		if f.rec == nil {
			break
		}
		f.begun = true
		if m := f.rec.Mark; m != nil {
			f.name, f.seed, f.part = m.Name, m.Seed, 0
		} else {
			f.part++
		}
		name := f.name
		if f.part > 0 {
			name = fmt.Sprintf("%s+%d", f.name, f.part)
		}
		if f.alone != "" && f.alone != name {
			f.read()
			continue
		}
		f.items, f.accepted, f.given = f.items[:0], 0, 0
		clear(f.owed)
		clear(f.at)
		f.take()
		drive := record.Replay(f.r.Block().Name, name, f.seed, len(f.ins), len(f.outs))
		if n := f.midway(name); n > 0 {
			drive.Resets = append(drive.Resets, stim.Reset{After: n, Low: 2})
		}
		return stim.Streamed(name, f.r.Block().Name, f.seed, drive, f.item), true
	}
	return nil, false
}

// midway prepares a reset in the middle of the part and returns after how many events it falls, 0 for none. Where
// answers are not counted, it is not known which are due before the reset.
func (f *File) midway(name string) int {
	f.again, f.keep, f.anew = nil, false, false
	n := record.Midway(f.r.Block().Name, name, f.seed)
	if !f.answers || n == 0 || f.StartOnly {
		return 0
	}
	for len(f.items) < n && f.more() {
		f.take()
	}
	n = min(n, len(f.items))
	f.again, f.keep = slices.Clone(f.items), true
	f.items = f.items[:n:n]
	return n
}

// take takes the record at hand apart and reads the next.
func (f *File) take() {
	first := true
	for i := range f.ins {
		if !f.ins[i].Offered(f.rec.In) {
			continue
		}
		f.items = append(f.items, stim.Item{Lane: i, Wait: stim.WaitAll, Pair: !first, Words: f.ins[i].fields(f.rec.In),
			More: !f.ins[i].Ends(f.rec.In)})
		first = false
	}
	for i := range f.outs {
		if f.outs[i].Offered(f.rec.Out) {
			f.owed[i] = append(f.owed[i], f.outs[i].fields(f.rec.Out))
		}
	}
	f.read()
}

// more reports whether the part has a record that is not taken apart.
func (f *File) more() bool { return f.rec != nil && !f.begins() }

// item fills in the next item of the part.
func (f *File) item(it *stim.Item) bool {
	if len(f.items) == 0 {
		f.items, f.again = f.again, nil
	}
	for len(f.items) == 0 && f.more() {
		f.take()
	}
	if len(f.items) == 0 {
		return false
	}
	words := it.Words
	copy(words, f.items[0].Words)
	*it = f.items[0]
	it.Words = words
	if f.items = f.items[1:]; len(f.items) == 0 {
		f.items = nil
	}
	return true
}

// Err returns what is wrong with the file, or that it has no such part.
func (f *File) Err() error {
	if f.err != nil && f.err != io.EOF {
		return f.err
	}
	if f.alone != "" && f.accepted == 0 {
		return fmt.Errorf("episode %s: the file has none of that name, or nothing in it; goldwire vectors show lists those "+
			"it has; NAME+N is what follows the Nth reset within one", f.alone)
	}
	return nil
}

// Close has nothing to release: the file belongs to its owner.
func (f *File) Close() {}

// Owed returns the Expect of the part that Next returned last.
func (f *File) Owed() Expect { return (*fileOwed)(f) }

type fileOwed File

// Reset makes everything due again that the part has had so far: the part starts again after it.
func (o *fileOwed) Reset() error {
	o.anew = o.accepted > 0
	o.keep = o.keep && !o.anew
	clear(o.at)
	o.accepted, o.given = 0, 0
	return nil
}

// Anew reports whether the last reset started the part again.
func (o *fileOwed) Anew() bool { return o.anew }

func (o *fileOwed) Accept(int, bool, []uint64) error {
	o.accepted++
	return nil
}

func (o *fileOwed) Next(stream int) ([]uint64, bool, error) {
	f := (*File)(o)
	if f.answers && f.given == f.accepted {
		return nil, false, nil
	}
	for len(f.owed[stream]) == f.at[stream] && f.more() {
		f.take()
	}
	if f.err != nil && f.err != io.EOF {
		return nil, false, f.err
	}
	if len(f.owed[stream]) == f.at[stream] {
		return nil, false, nil
	}
	w := f.owed[stream][f.at[stream]]
	if f.at[stream]++; !f.keep {
		f.owed[stream], f.at[stream] = f.owed[stream][f.at[stream]:], 0
	}
	f.given++
	return w, true, nil
}

// Fits returns why a file holds no vectors for a block with these parameters, or nil.
func Fits(h *format.Header, b *event.Block, params map[string]int) error {
	if h.Block != b.Name || h.SchemaHash != b.Hash() {
		return fmt.Errorf("it is of block %s, schema hash %s; the design of block %s, schema hash %s", h.Block, h.SchemaHash,
			b.Name, b.Hash())
	}
	for _, p := range b.Params {
		if h.Params[p.Name] != params[p.Name] {
			return fmt.Errorf("it was made with %s=%d, the design has %d; make it with --param %s=%d or change block_parameters",
				p.Name, h.Params[p.Name], params[p.Name], p.Name, params[p.Name])
		}
	}
	return nil
}
