package elastic

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/tolerance"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

func sumBlock(t *testing.T) *event.Block {
	b, err := event.Parse([]byte(`
block: sum
title: a sum of numbers
doc: each ADD adds GAIN times data to the sum
enums:
  - name: kind
    width: 3
    values: [{name: ADD, value: 0}, {name: READ, value: 1}, {name: LOAD, value: 2}, {name: CFG_WRITE, value: 3},
      {name: CFG_READ, value: 4}]
streams:
  - name: ev
    dir: in
    doc: numbers
    fields:
      - {name: kind, width: 3, enum: kind, open: true, doc: what}
      - {name: addr, width: 2, doc: of a word or register}
      - {name: data, width: 32, doc: number}
  - name: rsp
    dir: out
    doc: sums
    fields:
      - {name: kind, width: 3, enum: kind, open: true, doc: echo}
      - {name: sum, width: 16, unit: units, doc: the sum after the event}
      - {name: over, width: 1, doc: "ADD: the sum is above 1000"}
      - {name: data, width: 32, doc: what was read}
registers: [{name: GAIN, addr: 0, width: 8, reset: 10, doc: gain}]
words:
  - {addr: 0, fields: [{name: sum, lsb: 0, width: 16, unit: units}, {name: count, lsb: 16, width: 8}]}
  - {addr: 1, fields: [{name: hidden, lsb: 0, width: 16, unit: units}]}
`))
	require.NoError(t, err)
	return b
}

// sums is the rule of the block, or one that is near it. Hidden adds up as the sum does and shows in no response.
type sums struct {
	sum, count, hidden, gain uint64

	floor  uint64 // every sum is a multiple of it; 0 for one
	reg    uint64 // and the gain, likewise
	start  uint64 // gain after a reset, 10 for the contract's
	limit  uint64 // where over begins
	frozen bool   // ADD changes nothing but the response
	lazy   bool   // hidden is never added to
	odd    bool   // LOAD takes even sums only
	plus   uint64 // added by every ADD
}

func (s *sums) reset() { s.sum, s.count, s.hidden, s.gain = 0, 0, 0, s.start }

func down(v, to uint64) uint64 { return v - v%max(to, 1) }

// do executes an event and returns its response.
func (s *sums) do(kind, addr, data uint64) (sum, over, out uint64) {
	next := *s
	switch kind {
	case 0:
		next.sum = down(s.sum+s.gain*data+s.plus, s.floor) & 0xffff
		next.count = (s.count + 1) & 0xff
		if !s.lazy {
			next.hidden = down(s.hidden+s.gain*data, s.floor) & 0xffff
		}
	case 1:
		out = []uint64{s.sum | s.count<<16, s.hidden, 0, 0}[addr]
	case 2:
		switch {
		case addr == 0 && !(s.odd && data&1 != 0):
			next.sum, next.count = down(data&0xffff, s.floor), data>>16&0xff
		case addr == 1:
			next.hidden = down(data&0xffff, s.floor)
		}
	case 3:
		if addr == 0 {
			next.gain = down(data&0xff, s.reg)
		}
	case 4:
		if addr == 0 {
			out = s.gain
		}
	}
	if !s.frozen || kind > 1 {
		*s = next
	}
	if kind == 0 && next.sum > s.limit {
		over = 1
	}
	return next.sum, over, out
}

// Places of the block's fields.
type sumPorts struct {
	kind, addr, data      *event.Slot
	rKind, sum, over, out *event.Slot
}

func portsOfSum(b *event.Block) sumPorts {
	l := event.NewLayout(b)
	return sumPorts{l.In.Slot("ev", "kind"), l.In.Slot("ev", "addr"), l.In.Slot("ev", "data"), l.Out.Slot("rsp", "kind"),
		l.Out.Slot("rsp", "sum"), l.Out.Slot("rsp", "over"), l.Out.Slot("rsp", "data")}
}

func (p *sumPorts) answer(s *sums, in []uint64, words int) []uint64 {
	out := make([]uint64, words)
	sum, over, data := s.do(p.kind.Get(in), p.addr.Get(in), p.data.Get(in))
	p.rKind.Set(out, p.kind.Get(in))
	p.sum.Set(out, sum)
	p.over.Set(out, over)
	p.out.Set(out, data)
	return out
}

// sumDevice is a design: it takes an event when it holds no response.
type sumDevice struct {
	sums
	p     sumPorts
	words int
	in    int
	shown []uint64
	mute  int // a READ that is not answered, counted from 1
	reads int
}

func (d *sumDevice) Restart(uint32) error { d.shown = nil; return nil }

func (d *sumDevice) one(in, out []uint64) {
	clear(out)
	if in[0]&1 == 0 {
		d.reset()
		d.shown = nil
		return
	}
	if d.shown == nil {
		out[0] |= evReady
		if in[0]&evValid != 0 {
			d.shown = d.p.answer(&d.sums, in, d.words)
			if d.p.kind.Get(in) == 1 {
				if d.reads++; d.reads == d.mute {
					d.shown = nil
				}
			}
		}
		return
	}
	copy(out, d.shown)
	out[0] |= rspValid
	if in[0]&rspReady != 0 {
		d.shown = nil
	}
}

func (d *sumDevice) Step(in, out []uint64) error {
	for i := range len(in) / d.in {
		d.one(in[i*d.in:(i+1)*d.in], out[i*d.words:(i+1)*d.words])
	}
	return nil
}

func (d *sumDevice) StepUntil(in, out []uint64, watch uint64) (int, error) {
	for i := range len(out) / d.words {
		at, to := min(i, len(in)/d.in-1)*d.in, out[i*d.words:(i+1)*d.words]
		if d.one(in[at:at+d.in], to); to[0]&watch != 0 {
			return i + 1, nil
		}
	}
	return len(out) / d.words, nil
}

func (*sumDevice) End() error { return nil }

// sumExpect is the contract.
type sumExpect struct {
	sums
	p     sumPorts
	words int
	owed  [][]uint64
	asked int
}

func (e *sumExpect) Reset() error { e.owed = nil; e.reset(); return nil }
func (e *sumExpect) Accept(_ int, _ bool, w []uint64) error {
	e.owed = append(e.owed, slices.Clone(w))
	return nil
}
func (e *sumExpect) Next(int) ([]uint64, bool, error) {
	if len(e.owed) == 0 {
		return nil, false, nil
	}
	w := e.owed[0]
	e.owed = e.owed[1:]
	e.asked++
	return e.p.answer(&e.sums, w, e.words), true, nil
}
func (e *sumExpect) Close() error { return nil }

// ev is an event of the block.
type ev struct{ kind, addr, data uint64 }

// adds are n ADD of a number.
func adds(n int, data uint64) (evs []ev) {
	for range n {
		evs = append(evs, ev{data: data})
	}
	return evs
}

// played is an episode of the block under tolerances.
type played struct {
	Outcome
	data    *tolerance.Data // of the report's section
	outcome string          // of the section, and why
	softens string
}

func playSum(t *testing.T, design, contract sums, resync bool, given map[string]tolerance.Given, evs []ev,
	drive stim.DriveSpec, edit ...func(*sumDevice)) played {
	t.Helper()
	b := sumBlock(t)
	l, p := event.NewLayout(b), portsOfSum(b)
	var rules []tolerance.Rule
	for name, g := range given {
		r, err := tolerance.Compile(b, name, g)
		require.NoError(t, err)
		rules = append(rules, r)
	}
	defaults := func(s *sums) {
		if s.start == 0 {
			s.start = 10
		}
		if s.limit == 0 {
			s.limit = 1000
		}
	}
	defaults(&design)
	defaults(&contract)
	s := DefaultSpec(b)
	s.Flush = 64
	s.Judge, s.Resync = tolerance.NewJudge(b, rules), resync
	d := &sumDevice{sums: design, p: p, words: l.Out.Words, in: l.In.Words}
	for _, f := range edit {
		f(d)
	}
	items := make([]stim.Item, len(evs))
	for i, e := range evs {
		w := make([]uint64, l.In.Words)
		p.kind.Set(w, e.kind)
		p.addr.Set(w, e.addr)
		p.data.Set(w, e.data)
		items[i].Words = w
	}
	if drive.Resets == nil {
		drive.Resets = []stim.Reset{{Low: 2}}
	}
	require.NoError(t, d.Restart(1))
	out, err := Play(t.Context(), d, &sumExpect{sums: contract, p: p, words: l.Out.Words},
		stim.Recorded("test/0", "sum", 1, drive, items), s)
	require.NoError(t, err)
	section := s.Judge.Section(resync, func([]uint64) string { return "" })
	o, why := section.Outcome()
	return played{out, section.Data.(*tolerance.Data), string(o) + ": " + why, section.Softens}
}

func num(n uint64) *uint64 { return &n }

// near takes what a design with a floor of 4 needs, after one event from equal states.
func near() map[string]tolerance.Given {
	return map[string]tolerance.Given{"rsp.sum": {Absolute: num(3)}, "word.sum": {Absolute: num(3)},
		"word.hidden": {Absolute: num(3)}}
}

// A difference within the tolerances adds up where the reference keeps its own state, and does not where it takes the
// design's; the events that read it are in no count.
func TestResync(t *testing.T) {
	rough := sums{floor: 4}
	out := playSum(t, rough, sums{}, false, near(), adds(50, 1), stim.DriveSpec{})
	require.NotNil(t, out.Finding, "the sum is beyond its bound after two events")
	require.EqualValues(t, 1, out.Responses)

	stall := stim.DriveSpec{Stall: stim.Density(90), Idle: stim.Density(60)}
	for _, drive := range []stim.DriveSpec{{}, stall} {
		out = playSum(t, rough, sums{}, true, near(), adds(50, 1), drive)
		require.Nil(t, out.Finding)
		require.Equal(t, []uint64{50, 50, 200}, []uint64{out.Events, out.Responses, out.Fields})
		require.Equal(t, "within bounds: ", out.outcome)
		require.Equal(t, "within tolerances", out.softens)
		d := out.data
		require.EqualValues(t, 100, d.Words)
		require.NotZero(t, d.Taken)
		require.EqualValues(t, 50, d.Responses)
		require.EqualValues(t, 50*3+1, d.Reads, "two words and a register after each event, a register after the reset")
		require.NotEmpty(t, d.Calls)
		require.InDelta(t, 2./3, d.Calls[0].Share, 1e-9)
	}
	// An equal design is judged without any difference; with no rule at all every state word is held to the contract.
	out = playSum(t, sums{}, sums{}, true, nil, adds(50, 1), stim.DriveSpec{})
	require.Nil(t, out.Finding)
	require.Zero(t, out.data.Taken)
	require.Empty(t, out.softens)
}

// The reference takes the design's state after it was compared, never in place of it.
func TestResyncComparesTheState(t *testing.T) {
	for name, design := range map[string]sums{
		"a state that never changes":               {frozen: true},
		"a state that no response shows":           {lazy: true},
		"a rounding wider than the tolerance":      {floor: 16},
		"a gain that is wrong after a reset":       {start: 12},
		"a gain that is wrong by less than a rule": {start: 9},
	} {
		t.Run(name, func(t *testing.T) {
			out := playSum(t, design, sums{}, true, near(), adds(50, 1), stim.DriveSpec{})
			require.NotNil(t, out.Finding)
			require.Equal(t, Wrong, out.Finding.Kind)
			require.LessOrEqual(t, out.Events, uint64(5))
		})
	}
	out := playSum(t, sums{lazy: true}, sums{}, true, near(), adds(50, 1), stim.DriveSpec{})
	require.NotNil(t, out.Finding.After, "the event after which the state was read")
	out = playSum(t, sums{}, sums{}, true, near(), adds(50, 1), stim.DriveSpec{}, func(d *sumDevice) { d.mute = 20 })
	require.NotNil(t, out.Finding, "a READ that is not answered")
}

// Registers are read after a reset and after each event, and taken over: the design's rounding of a register is not one
// of the arithmetic.
func TestResyncOfRegisters(t *testing.T) {
	given := near()
	given["register.GAIN"] = tolerance.Given{Absolute: num(3)}
	drive := stim.DriveSpec{Resets: []stim.Reset{{Low: 1}, {Low: 2, Delay: 5}, {After: 20, Low: 3}}}
	evs := slices.Concat(adds(10, 3), []ev{{kind: 3, data: 23}}, adds(20, 3), []ev{{kind: 3, data: 41}}, adds(20, 1))
	out := playSum(t, sums{reg: 4, start: 8}, sums{}, true, given, evs, drive)
	require.Nil(t, out.Finding, "%+v", out.Finding)
	require.EqualValues(t, len(evs), out.Events)
	given["register.GAIN"] = tolerance.Given{Absolute: num(1)}
	out = playSum(t, sums{reg: 4, start: 8}, sums{}, true, given, evs, drive)
	require.NotNil(t, out.Finding, "10 is not 8")
	delete(given, "register.GAIN")
	out = playSum(t, sums{reg: 4, start: 8}, sums{}, true, given, evs, drive)
	require.NotNil(t, out.Finding, "a register without a rule")
}

// A design whose state the contract cannot hold is wrong, however near it is.
func TestStateThatCannotBeHeld(t *testing.T) {
	out := playSum(t, sums{plus: 1}, sums{odd: true}, true, near(), adds(50, 1), stim.DriveSpec{})
	require.NotNil(t, out.Finding)
	require.Equal(t, Unheld, out.Finding.Text)
}

// A decision may flip where a state within the tolerances explains it, as often as its rule allows.
func TestFlips(t *testing.T) {
	given := near()
	load := func(n uint64) []ev { return []ev{{kind: 2, data: n}} }
	evs := slices.Concat(load(990), adds(1, 1), load(500), adds(5, 1))
	out := playSum(t, sums{limit: 999}, sums{}, true, given, evs, stim.DriveSpec{})
	require.NotNil(t, out.Finding, "a decision without a rule is exact")
	given["rsp.over"] = tolerance.Given{Flips: num(1)}
	out = playSum(t, sums{limit: 999}, sums{}, true, given, evs, stim.DriveSpec{})
	require.Nil(t, out.Finding, "1000 is above 999, and 1003 above 1000")
	require.Equal(t, "within bounds: ", out.outcome)
	flips := out.data.Flips
	require.Len(t, flips, 1)
	require.Equal(t, "word.sum 3 LSB higher", flips[0].Near)

	evs = slices.Concat(load(990), adds(1, 1), load(990), adds(1, 1))
	out = playSum(t, sums{limit: 999}, sums{}, true, given, evs, stim.DriveSpec{})
	require.Nil(t, out.Finding)
	require.Contains(t, out.outcome, "out of bounds: rsp.over differed 2 times in 4 responses; at most 1 may")

	out = playSum(t, sums{limit: 900}, sums{}, true, given, slices.Concat(load(940), adds(1, 1)), stim.DriveSpec{})
	require.NotNil(t, out.Finding, "no near state decides so")
	require.Equal(t, NoNear, out.Finding.Text)
}

// What is ignored is neither compared nor counted as compared.
func TestIgnored(t *testing.T) {
	given := map[string]tolerance.Given{"rsp.sum": {Ignore: true}}
	out := playSum(t, sums{floor: 64}, sums{}, false, given, adds(20, 1), stim.DriveSpec{})
	require.Nil(t, out.Finding)
	require.EqualValues(t, 20*4, out.Fields, "it is Spec.Uncounted that takes it from the count")
	require.EqualValues(t, "ignored", out.data.Fields[0].Judged)
	out = playSum(t, sums{floor: 64}, sums{}, false, given, adds(120, 1), stim.DriveSpec{})
	require.NotNil(t, out.Finding, "the others are exact")
}
