package diff

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"github.com/goldwire/goldwire/cosim/precision/diff/baseline"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fixed"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// digest is a hash of numbers with the events they belong to.
type digest struct {
	h     hash.Hash
	count uint64
}

func newDigest() *digest { return &digest{h: sha256.New()} }

func (d *digest) add(event uint64, words ...uint64) {
	var b [40]byte
	out := binary.LittleEndian.AppendUint64(b[:0], event)
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	d.h.Write(out)
	d.count++
}

// num takes a number as it is, whatever its format: 64 bits before the point and 64 after it.
func (d *digest) num(event uint64, x fixed.Num) { d.add(event, x.Bits(0), x.Bits(64)) }

func (d *digest) sum() string { return hex.EncodeToString(d.h.Sum(nil)[:8]) }

type field struct {
	slot   event.Slot
	kind   baseline.Kind
	frac   uint8
	digest *digest

	tally     Tally // of an output: its error
	otherwise uint64
	compared  uint64
}

// fieldsOf returns all fields of the response, from the schema, so that none is left out.
func fieldsOf() (out []field) {
	for _, s := range event.NewLayout(ccc.Schema()).Out.Slots {
		f := field{slot: s, kind: baseline.Decision, digest: newDigest()}
		if s.Field.Unit != "" {
			f.kind = baseline.Output
		}
		if v, ok := ccc.Formats().Lookup(s.Field.Name); ok && s.Field.Q != "" {
			f.frac = v.Format.Frac
		}
		out = append(out, f)
	}
	return out
}

// probe gathers what a baseline holds: of every number of the party in fixed point a digest, of every field of the
// response a digest and its error.
type probe struct {
	values [nscc.NumValues]*digest
	regs   [ccc.NumRegs]*digest
	fields []field
	event  uint64
	f, e   [ccc.OutWords]uint64
}

func newProbe() *probe {
	p := &probe{fields: fieldsOf()}
	for i := range p.values {
		p.values[i] = newDigest()
	}
	for i := range p.regs {
		p.regs[i] = newDigest()
	}
	return p
}

// seen takes a number that fixed point brought to a format: of a word too, as what an event adds to it may be taken
// from it again before the event ends.
func (p *probe) seen(v nscc.Value, x fixed.Num) { p.values[v].num(p.event, x) }

// numbers takes the numbers that an event leaves.
func (p *probe) numbers(t *trio, number uint64, ev *ccc.Event, c *Context[fixed.Num], rsp *ccc.Response) {
	if ev.Kind == ccc.KindCfgWrite && !rsp.Refused {
		p.regs[ev.Addr].num(number, t.quiet.Register(int(ev.Addr), ev.Data&(1<<ccc.RegInfo[ev.Addr].Width-1)))
	}
	if c != nil && c.Valid {
		for v := nscc.Value(0); v <= nscc.ValInflightPkts; v++ {
			p.values[v].num(number, *c.State.Word(v))
		}
	}
	p.response(number, rsp)
}

func (p *probe) response(number uint64, rsp *ccc.Response) {
	ccc.PackResponse(rsp, p.f[:])
	for i := range p.fields {
		f := &p.fields[i]
		f.digest.add(number, f.slot.Get(p.f[:]))
	}
}

// errors holds the response in fixed point against the exact one; the error of a number is left out where the parties
// decided differently and left is set.
func (p *probe) errors(fixed, exact *ccc.Response, left bool) {
	ccc.PackResponse(fixed, p.f[:])
	ccc.PackResponse(exact, p.e[:])
	for i := range p.fields {
		f := &p.fields[i]
		x, y := f.slot.Get(p.f[:]), f.slot.Get(p.e[:])
		if f.kind == baseline.Decision {
			f.compared++
			if x != y {
				f.otherwise++
			}
			continue
		}
		if !left {
			d, e := f.slot.Field.Signed64(x)-f.slot.Field.Signed64(y), f.slot.Field.Signed64(y)
			f.tally.Add(math.Ldexp(float64(d), -int(f.frac)), math.Ldexp(float64(e), -int(f.frac)))
		}
	}
}

func (p *probe) lines(source string) (out []baseline.Line) {
	for i := range p.fields {
		f := &p.fields[i]
		l := baseline.Line{Source: source, Kind: f.kind, Name: f.slot.Field.Name, Format: f.slot.Field.Q,
			Count: f.digest.count, Digest: f.digest.sum()}
		l.Step = baseline.Figures{Compared: f.compared, Differ: f.otherwise}
		if f.kind == baseline.Output {
			l.Step = figuresOf(f.tally.Result(lsbOf(f.frac)))
		}
		out = append(out, l)
	}
	return out
}

func figuresOf(e Error) baseline.Figures {
	return baseline.Figures{Compared: e.Count, Differ: e.Differ, Max: e.Max, Bias: e.Bias}
}
