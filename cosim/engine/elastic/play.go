package elastic

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// port is one stream of the records.
type port struct {
	*event.Port
	mask     []uint64    // bits of its fields that count
	key      *event.Slot // that responses are matched by, nil: in order
	compared uint64      // fields of a transfer that are compared
	counted  []uint64    // bits of them
}

// portsOf returns the streams of a block.
func portsOf(l *event.Layout) (ins, outs []port) {
	of := func(ports []event.Port) (out []port) {
		for i := range ports {
			out = append(out, port{Port: &ports[i], mask: slices.Clone(ports[i].Mask)})
		}
		return out
	}
	return of(l.Inputs()), of(l.Outputs())
}

// valids returns the valid bits of streams, and readies their ready bits.
func valids(ports []port) (bits uint64) {
	for i := range ports {
		bits |= ports[i].Valid
	}
	return bits
}

func readies(ports []port) (bits uint64) {
	for i := range ports {
		bits |= ports[i].Ready
	}
	return bits
}

// CountFields returns how many fields of a transfer of an output stream count as compared: those with a bit outside of
// skip, which may be nil. A transfer of a stream without fields is compared by its arrival alone.
func CountFields(r *event.Record, stream string, skip []uint64) uint64 {
	n, all := uint64(0), 0
	for i := range r.Slots {
		s := &r.Slots[i]
		if s.Stream != stream {
			continue
		}
		all++
		if skip == nil || skip[s.Word]>>s.Bit&1 == 0 {
			n++
		}
	}
	if all == 0 {
		return 1
	}
	return n
}

// fields copies the stream's fields out of a record.
func (p *port) fields(rec []uint64) []uint64 {
	out := make([]uint64, len(p.mask))
	for w, m := range p.mask {
		out[w] = rec[w] & m
	}
	return out
}

// leap is the most cycles that the device runs by itself.
const leap = 1024

// windowCycles is how many cycles a Finding shows.
const windowCycles = 8

// player is one episode being played.
type player struct {
	spec      *Spec
	name      string // of the episode
	dev       Device
	owing     Noted    // what is owed; it remembers in broke that it failed
	broke     bool     // so that a failing assertion of a second design is not taken for one of the first
	follow    Follower // the same, where it runs along; or nil
	ins, outs []port
	rstN      uint64
	driver    *drive.Driver
	board     *board
	ahead     ahead
	in, out   []uint64 // records of the cycle looked at
	many      []uint64 // output records of a window
	outWords  int
	masks     *event.Masks // of the schema; nil for none
	scratch   []uint64     // mask of the response looked at
	reads     *reads       // events inserted to read the device's state; nil for none
	synced    *synced      // the reference that takes it; nil where it keeps its own

	res    Outcome
	digest wire.Digest
	wait   []int      // by input stream: cycles refused since its last transfer
	ready  []bool     // by input stream: ready has been high
	low    bool       // in reset
	steady steady     // of the device
	last   [][]uint64 // by output stream: the response matched last
	open   int        // transfers accepted since the reset
	idle   int        // cycles since something moved in which every output was open
	resets int        // after an event, so far
	frames []Frame    // by output stream
	came   [][]answer // by output stream of packets: responses that were not compared yet
	recent []Cycle    // ring of the last windowCycles
	noted  int        // cycles put into it
}

// Play plays an episode on the device and compares its answers with those that exp expects. The caller
// has restarted the device. It stops at the first finding. The error is that of a side that broke.
func Play(ctx context.Context, dev Device, exp Expect, ep *stim.Episode, spec Spec) (Outcome, error) {
	if err := spec.Validate(); err != nil {
		return Outcome{}, err
	}
	if spec.Packets {
		exp = newPacketed(spec.Block, exp)
	}
	p := newPlayer(dev, exp, &spec)
	p.follow, _ = exp.(Follower)
	ep = spec.Calm(ep)
	if spec.Resync {
		var err error
		if p.reads, ep, err = withReads(ep, spec.Judge.Access, spec.Judge.Flips()); err != nil {
			return Outcome{}, err
		}
		p.synced = newSynced(exp, spec.Judge)
		p.owing.Expect, p.ahead.least = p.synced, leastRead
	}
	if err := p.owing.Reset(); err != nil {
		return Outcome{}, err
	}
	p.name = ep.Name
	p.driver.Begin(ep)
	return p.ended(p.all(ctx))
}

// ended returns the outcome of an episode that ended with an error: one that the device's RTL reported is a finding.
func (p *player) ended(err error) (Outcome, error) {
	p.res.Digest = uint64(p.digest)
	var rtl *client.RTLError
	if errors.As(err, &rtl) && !p.broke {
		err = nil
		p.found(Finding{Kind: RTL, Text: rtl.Text})
		p.res.Finding.Cycle = rtl.Cycle
	}
	return p.res, err
}

// Calm returns the episode as it is driven: without back-pressure on outputs where the device has no ready, and with
// only the first reset where it has no reset.
func (s *Spec) Calm(ep *stim.Episode) *stim.Episode {
	resets := len(ep.Drive.Resets)
	if s.NoReset {
		resets = min(resets, 1)
	}
	if !slices.Contains(s.NoStall, true) && resets == len(ep.Drive.Resets) {
		return ep
	}
	calm := *ep
	calm.Drive.Resets = ep.Drive.Resets[:resets:resets]
	calm.Drive.StallMore = slices.Clone(ep.Drive.StallMore)
	for i, open := range s.NoStall {
		switch {
		case !open:
		case i == 0:
			calm.Drive.Stall = stim.Gate{}
		case i <= len(calm.Drive.StallMore):
			calm.Drive.StallMore[i-1] = stim.Gate{}
		}
	}
	return &calm
}

func newPlayer(dev Device, exp Expect, spec *Spec) *player {
	l := event.NewLayout(spec.Block)
	p := &player{spec: spec, dev: dev, driver: drive.NewDriver(l), rstN: l.Reset(),
		outWords: l.Out.Words,
		in:       make([]uint64, l.In.Words), out: make([]uint64, l.Out.Words), many: make([]uint64, leap*l.Out.Words),
		ahead: newAhead(l.In.Words)}
	p.owing = Noted{exp, func(err error) error {
		p.broke = true
		return err
	}}
	p.ins, p.outs = portsOf(l)
	p.masks, _ = event.NewMasks(spec.Block, l, spec.Params) // Validate has tried it
	p.scratch = make([]uint64, l.Out.Words)
	for i := range p.outs {
		for w := range spec.Skip {
			p.outs[i].mask[w] &^= spec.Skip[w]
		}
		if spec.Order != Stream {
			p.outs[i].key = l.Out.Slot(p.outs[i].Name, spec.Key)
		}
		p.outs[i].compared = CountFields(&l.Out, p.outs[i].Name, spec.Uncounted)
		p.outs[i].counted = slices.Clone(p.outs[i].mask)
		for w := range spec.Uncounted {
			p.outs[i].counted[w] &^= spec.Uncounted[w]
		}
	}
	p.wait, p.ready = make([]int, len(p.ins)), make([]bool, len(p.ins))
	p.steady, p.last = newSteady(spec, p.outs, p.rstN), make([][]uint64, len(p.outs))
	p.came = make([][]answer, len(p.outs))
	p.frames = NewFrames(spec.Block, l)
	p.board = newBoard(p.ins, p.outs, &p.owing)
	return p
}

// all plays until the episode is over, something is found, or something broke.
func (p *player) all(ctx context.Context) error {
	for n := 0; ; n++ {
		if n&0xFF == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if p.ahead.draw(p.driver, p.ins, p.rstN); p.ahead.n == 0 {
			offer := make([]uint64, len(p.in))
			offer[0] = p.rstN
			if err := p.flush(ctx, offer); err != nil || p.res.Finding != nil {
				return err
			}
			if err := p.dev.End(); err != nil || p.follow == nil {
				return err
			}
			return p.owing.Errs(p.follow.End())
		}
		var err error
		if p.in = p.ahead.record(0); p.in[0]&p.rstN == 0 {
			err = p.fall(ctx)
		} else {
			p.low = false
			err = p.window()
		}
		if err != nil || p.res.Finding != nil {
			return err
		}
	}
}

// window runs the cycles that the driver decided ahead, up to the first that accepts something: the later ones were
// decided for another event.
func (p *player) window() error {
	watch, n := p.asked(), p.ahead.n
	in, out := p.ahead.words[:n*len(p.in)], p.many[:n*p.outWords]
	var err error
	if watch == 0 {
		err = p.dev.Step(in, out)
	} else {
		n, err = p.dev.StepUntil(in, out, watch)
	}
	if err != nil {
		return err
	}
	if err := p.along(in[:n*len(p.in)], out[:n*p.outWords]); err != nil {
		return err
	}
	for i := range n {
		p.in, p.out = p.ahead.record(i), out[i*p.outWords:(i+1)*p.outWords]
		p.driver.Rewind(p.in)
		p.driver.Observe(p.out)
		if err := p.transfers(); err != nil || p.res.Finding != nil {
			return err
		}
	}
	p.ahead.ran(p.out[0]&watch != 0)
	return nil
}

// reset holds the device in reset; what it shows meanwhile does not count.
func (p *player) reset() error {
	cycles := 1
	if !p.low {
		p.low = true
		p.steady.forget()
		clear(p.last)
		cycles = p.spec.ResetCycles
		if err := p.owing.Reset(); err != nil {
			return err
		}
		if x, ok := p.owing.Expect.(interface{ Anew() bool }); ok && x.Anew() {
			p.res.Events, p.res.Responses = 0, 0 // they come once more
		}
		p.board.reset()
		p.clearFrames()
		clear(p.came)
	}
	p.out = p.many[:p.outWords]
	for range cycles {
		if err := p.dev.Step(p.in, p.out); err != nil {
			return err
		}
		if err := p.along(p.in, p.out); err != nil {
			return err
		}
		p.note(p.out)
	}
	p.driver.Rewind(p.in)
	p.driver.Observe(p.out)
	clear(p.wait)
	return nil
}

// along passes the cycles that the device has run to a reference that runs along.
func (p *player) along(in, out []uint64) error {
	if p.follow == nil {
		return nil
	}
	return p.owing.Errs(p.follow.Follow(in, out))
}

func (p *player) clearFrames() {
	for i := range p.frames {
		p.frames[i].Reset()
	}
}

// transfers handles the transfers of the cycle just run.
func (p *player) transfers() error {
	p.note(p.out)
	if i, how := p.stable(); i >= 0 {
		p.found(p.unstable(i, how))
		return nil
	}
	pair := false
	for i := range p.ins {
		s := &p.ins[i]
		p.ready[i] = p.ready[i] || s.Taken(p.out)
		switch {
		case !s.Offered(p.in):
		case s.Taken(p.out):
			p.wait[i] = 0
			if err := p.accept(i, pair); err != nil {
				return err
			}
			pair = true
		default:
			p.wait[i]++
		}
	}
	p.count()
	for i := range p.outs {
		if !p.outs[i].Moves(p.out, p.in) {
			continue
		}
		got := answer{p.outs[i].fields(p.out), p.res.Cycles - 1}
		if p.packets(i) {
			p.came[i] = append(p.came[i], got)
		} else if err := p.respond(i, got); err != nil || p.res.Finding != nil {
			return err
		}
	}
	if err := p.whole(false); err != nil || p.res.Finding != nil {
		return err
	}
	for i := range p.ins {
		if p.wait[i] >= p.spec.Patience {
			p.found(Finding{Kind: Stuck, Stream: i, Lane: i, Event: p.ins[i].fields(p.in), Never: !p.ready[i]})
			return nil
		}
	}
	return nil
}

func (p *player) accept(i int, pair bool) error {
	s := &p.ins[i]
	p.open++
	words := s.fields(p.in)
	if p.reads != nil {
		m := p.reads.accepted()
		p.synced.accept(words, m)
		if m != ofEpisode {
			p.digest = p.digest.Add(words)
			p.board.accept(i, words)
			return nil
		}
	}
	p.took(i, words)
	if p.reads != nil {
		return nil
	}
	return p.owing.Accept(i, pair, words)
}

// took notes an accepted transfer of the episode.
func (p *player) took(i int, words []uint64) {
	if p.ins[i].Ends(p.in) {
		p.res.Events++
	}
	p.res.LastLane, p.res.Last = i, words
	p.digest = p.digest.Add(words)
	if p.spec.Took != nil {
		p.spec.Took(i, words)
	}
	p.board.accept(i, words)
}

// answer is a response with the cycle in which it came.
type answer struct {
	words []uint64
	cycle uint64
}

func (p *player) respond(i int, r answer) error {
	s, got := &p.outs[i], r.words
	o, ok, err := p.board.claim(i, got)
	switch {
	case err != nil:
		return err
	case !ok:
		p.differing(i, nil, got)
		p.judged(i, nil, r, false)
		p.foundAt(r.cycle, Finding{Kind: Extra, Stream: i, Got: got, Early: p.open == 0})
		return nil
	}
	wrong, text := false, ""
	if p.spec.Judge == nil {
		wrong = p.differ(i, o.want, got)
	} else if wrong, text, err = p.beyond(i, &o, got); err != nil {
		return err
	}
	p.judged(i, o.want, r, !wrong)
	if wrong {
		p.differing(i, o.want, got)
		f := Finding{Kind: Wrong, Stream: i, Want: o.want, Got: got, Lane: o.lane, Event: o.event, Text: text}
		switch {
		case p.inserted() && p.synced.last.mark == readAhead:
			f.Text = strings.TrimPrefix(text+"; "+ReadAhead, "; ")
		case p.inserted():
			f.After = p.synced.own
		case text == "":
			f.Text = p.shifted(i, got)
		}
		p.foundAt(r.cycle, f)
		return nil
	}
	p.last[i] = got
	p.frames[i].Take(got, s.Ends(got))
	p.matched(i, o.want, got)
	if s.Ends(got) {
		p.board.left[i]++
	}
	if s.Ends(got) && !p.inserted() {
		p.res.Responses++
	}
	return nil
}

// note counts a cycle and keeps it for a finding's window.
func (p *player) note(out []uint64) {
	if len(p.recent) < windowCycles {
		p.recent = append(p.recent, Cycle{In: make([]uint64, len(p.in)), Out: make([]uint64, len(out))})
	}
	c := &p.recent[p.noted%windowCycles]
	c.N = p.res.Cycles
	copy(c.In, p.in)
	copy(c.Out, out)
	p.noted++
	p.res.Cycles++
}

// found ends the episode with a finding in the last cycle run.
func (p *player) found(f Finding) { p.foundAt(max(p.res.Cycles, 1)-1, f) }

// foundAt does so with a finding in a cycle.
func (p *player) foundAt(cycle uint64, f Finding) {
	f.Cycle = cycle
	p.res.Finding = &f
	f.Frames = slices.Clone(p.frames) // the episode is over, so that their bytes stay
	for k := range p.recent {         // oldest first
		c := p.recent[(p.noted+k)%len(p.recent)]
		f.Window = append(f.Window, Cycle{c.N, slices.Clone(c.In), slices.Clone(c.Out)})
	}
}
