package wave

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/goldwire/goldwire/cosim/engine/score"
	"github.com/goldwire/goldwire/cosim/explain/vcd"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// The outermost scope of the tracks, and the scopes in it.
const (
	root       = "goldwire"
	difference = "difference"
	events     = "events"
	expected   = "expected"
	design     = "design"
	input      = "input"
	responses  = "responses"
	state      = "state"
)

// Cycle is what is known about one clock cycle. Records are as in vectors/event.
type Cycle struct {
	N    uint64
	In   []uint64
	Got  []uint64 // outputs of the design; nil when it did not run the cycle
	Want []uint64 // outputs as expected; nil for none
	// Known are the bits of Want that mean something, and Compared those that a judge compared with Got.
	Known, Compared []uint64
	// Excused is set if the judge accepted the differences because they are within the tolerances.
	Excused bool
	// State are the state words of the context that the wave shows after the cycle, nil where they are not known.
	State []uint64
}

// Wave collects cycles. It is for one goroutine.
type Wave struct {
	// Title is what the file shows, and Concern the context whose state it shows.
	Title, Concern string

	block  *event.Block
	layout *event.Layout
	judge  *score.Judge
	tracks vcd.Tracks

	any, text, concern *vcd.Track
	ins                []part // of input records
	outs               []out
	took               []*vcd.Track // by input stream
	gave               [2][]*vcd.Track
	words              []wordTrack

	first, last uint64
	begun       bool
	differing   []uint64 // cycles that differ
	compared    int      // cycles in which something was compared
	failed      map[uint64]string
}

// part is a control bit or a field of a record, and its track.
type part struct {
	control *event.Control
	slot    *event.Slot
	track   *vcd.Track
}

// out is a part of an output record: as expected, as the design gave it, and whether they differ.
type out struct {
	part
	got, differs *vcd.Track
	differed     bool // in some cycle
}

type wordTrack struct {
	word  int
	field *event.WordField
	track *vcd.Track
}

// New returns an empty wave of a block.
func New(b *event.Block) *Wave {
	w := &Wave{block: b, judge: score.NewJudge(b), failed: map[uint64]string{}}
	w.layout = w.judge.Layout()
	w.any = w.tracks.Add(1, "any", root, difference)
	w.text = w.tracks.Add(0, "text", root, difference)
	w.outs = make([]out, 0, len(w.layout.Out.Controls)+len(w.layout.Out.Slots))
	for _, p := range parts(&w.layout.Out) {
		w.outs = append(w.outs, out{part: p, differs: w.tracks.Add(1, p.name(), root, difference)})
	}
	for _, s := range b.StreamsOf(event.In) {
		w.took = append(w.took, w.tracks.Add(0, s.Name, root, events))
	}
	for i := range w.outs {
		w.outs[i].track = w.tracks.Add(w.outs[i].bits(), w.outs[i].name(), root, expected)
	}
	for i := range w.outs {
		w.outs[i].got = w.tracks.Add(w.outs[i].bits(), w.outs[i].name(), root, design)
	}
	w.ins = parts(&w.layout.In)
	for i := range w.ins {
		w.ins[i].track = w.tracks.Add(w.ins[i].bits(), w.ins[i].name(), root, input)
	}
	for side, name := range []string{expected, design} {
		for _, s := range b.StreamsOf(event.Out) {
			w.gave[side] = append(w.gave[side], w.tracks.Add(0, s.Name+"_"+name, root, responses))
		}
	}
	if len(b.Words) > 0 {
		w.concern = w.tracks.Add(0, "of", root, state)
	}
	for i := range b.Words {
		for k := range b.Words[i].Fields {
			f := &b.Words[i].Fields[k]
			w.words = append(w.words, wordTrack{i, f, w.tracks.Add(f.Width, f.Name, root, state)})
		}
	}
	return w
}

// parts returns the control bits and fields of a record.
func parts(r *event.Record) (all []part) {
	for i := range r.Controls {
		all = append(all, part{control: &r.Controls[i]})
	}
	for i := range r.Slots {
		all = append(all, part{slot: &r.Slots[i]})
	}
	return all
}

func (p *part) name() string { return event.Part{Control: p.control, Slot: p.slot}.Name() }

func (p *part) bits() int {
	if p.slot == nil {
		return 1
	}
	return p.slot.Field.Width
}

// has reports whether a mask of a record has a bit of the part.
func (p *part) has(mask []uint64) bool {
	if mask == nil {
		return false
	}
	if p.slot == nil {
		return mask[0]>>p.control.Bit&1 != 0
	}
	return p.slot.Differs(mask, make([]uint64, len(mask)))
}

// binary returns the part's bits of a record.
func (p *part) binary(rec []uint64) string {
	if p.slot == nil {
		return vcd.Binary(rec[0]>>p.control.Bit, 1)
	}
	s := p.slot
	if s.Field.Width <= 64 {
		return vcd.Binary(s.Get(rec), s.Field.Width)
	}
	var b strings.Builder
	for at := (s.Field.Width - 1) / 64; at >= 0; at-- {
		b.WriteString(vcd.Binary(rec[s.Word+at], min(64, s.Field.Width-64*at)))
	}
	return b.String()
}

// Cycle adds a cycle. Cycles are added in order.
func (w *Wave) Cycle(c *Cycle) {
	if !w.begun {
		w.begun, w.first = true, c.N
	}
	w.last = c.N
	w.tracks.At(c.N * vcd.CycleTime)
	for i := range w.ins {
		w.tracks.Set(w.ins[i].track, w.ins[i].binary(c.In))
	}
	w.compare(c)
	in, outs := w.layout.Inputs(), w.layout.Outputs()
	low := c.In[0]&w.layout.Reset() == 0
	for i := range in {
		text := ""
		if c.Got != nil && !low && in[i].Moves(c.In, c.Got) {
			text = w.judge.Describe(&w.layout.In, in[i].Name, c.In)
		}
		w.tracks.Set(w.took[i], text)
	}
	for side, rec := range [][]uint64{c.Want, c.Got} {
		for i := range outs {
			text := ""
			if rec != nil && outs[i].Offered(rec) {
				text = w.judge.Describe(&w.layout.Out, outs[i].Name, rec) + w.decimals(outs[i].Name, rec)
			}
			w.tracks.Set(w.gave[side][i], text)
		}
	}
	w.context(c.State)
}

// compare sets the outputs of both sides, and where they differ.
func (w *Wave) compare(c *Cycle) {
	compared, wrong := false, false
	mask := make([]uint64, w.layout.Out.Words)
	for i := range w.outs {
		o := &w.outs[i]
		want, got, differs := vcd.Unknown, vcd.Unknown, vcd.Unknown
		if c.Want != nil && o.has(c.Known) {
			want = o.binary(c.Want)
		}
		if c.Got != nil {
			got = o.binary(c.Got)
		}
		if c.Want != nil && c.Got != nil && o.has(c.Compared) {
			for k := range mask {
				mask[k] = (c.Want[k] ^ c.Got[k]) & c.Compared[k]
			}
			compared, differs = true, "0"
			if o.has(mask) && !c.Excused {
				wrong, o.differed, differs = true, true, "1"
			}
		}
		w.tracks.Set(o.track, want)
		w.tracks.Set(o.got, got)
		w.tracks.Set(o.differs, differs)
	}
	if compared {
		w.compared++
	}
	state, text := vcd.Unknown, "not_compared"
	switch {
	case wrong || w.failed[c.N] != "":
		state, text = "1", w.differences(c)
		w.differing = append(w.differing, c.N)
	case c.Excused:
		state, text = "0", "within_the_tolerances"
	case compared:
		state, text = "0", ""
	}
	w.tracks.Set(w.any, state)
	w.tracks.Set(w.text, text)
}

// differences describes what differs in a cycle.
func (w *Wave) differences(c *Cycle) string {
	var all []string
	if text := w.failed[c.N]; text != "" {
		all = append(all, strings.ReplaceAll(text, " ", "_"))
	}
	if c.Want != nil && c.Got != nil && c.Compared != nil {
		spared := make([]uint64, len(c.Want)) // as the design gave it, where nothing was compared
		for k := range spared {
			spared[k] = c.Want[k]&c.Compared[k] | c.Got[k]&^c.Compared[k]
		}
		for i := range w.layout.Outputs() { // a field under a valid that is not compared itself
			if p := &w.layout.Outputs()[i]; p.Offered(c.Want) {
				spared[0] |= p.Valid
			}
		}
		for _, d := range w.judge.Diff(spared, c.Got) {
			text := fmt.Sprintf("%s:want=%s,got=%s", d.Name, d.Want, d.Got)
			if lsb := d.DiffLSB(); lsb != "" {
				text += "," + lsb + "LSB"
			}
			all = append(all, text)
		}
	}
	return strings.Join(all, ";")
}

// decimals returns the fields of a stream that have fraction bits as decimal numbers.
func (w *Wave) decimals(stream string, rec []uint64) string {
	var b strings.Builder
	for i := range w.layout.Out.Slots {
		s := &w.layout.Out.Slots[i]
		if frac := fraction(s.Field.Q); s.Stream == stream && frac > 0 && s.Field.Width <= 64 {
			fmt.Fprintf(&b, " %s=%s", s.Field.Name, Decimal(big.NewInt(s.Field.Signed64(s.Get(rec))), frac))
		}
	}
	return b.String()
}

func (w *Wave) context(words []uint64) {
	if w.concern == nil {
		return
	}
	of := w.Concern
	if words == nil {
		of = "not_known"
	}
	w.tracks.Set(w.concern, of)
	for i := range w.words {
		x := &w.words[i]
		value := vcd.Unknown
		if words != nil {
			value = vcd.Binary(words[x.word]>>x.field.LSB, x.field.Width)
		}
		w.tracks.Set(x.track, value)
	}
}

// Failed notes what is wrong with a cycle that is not added yet, if that is more than differing bits.
func (w *Wave) Failed(n uint64, text string) { w.failed[n] = text }

// Compared returns the number of cycles in which something was compared.
func (w *Wave) Compared() int { return w.compared }

// Differs returns the cycles in which something differs.
func (w *Wave) Differs() []uint64 { return w.differing }

// fraction returns the fraction bits of a Q format such as UQ32.16, 0 for none.
func fraction(q string) int {
	f, _ := formats.ParseFormat(q)
	return int(f.Frac)
}

// Decimal returns a fixed-point number exactly, with as many digits as it needs.
func Decimal(raw *big.Int, frac int) string {
	r := new(big.Rat).SetFrac(raw, new(big.Int).Lsh(big.NewInt(1), uint(frac)))
	text := r.FloatString(frac) // a fraction of that many bits has no more digits
	if frac > 0 {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}
