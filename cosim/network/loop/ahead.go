package loop

import (
	"cmp"
	"context"
	"fmt"
	"sort"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/golden/units"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// maxBatch is the greatest number of cycles in a batch of the bridge. With longer batches, the network runs further
// ahead before the device reports a difference, and the journal must hold more answers.
const maxBatch = 1 << 13

// ahead is the block as the model predicts it. The network gets the model's answer at once. The event then goes to the
// device, which is compared with the clocked model in every cycle.
type ahead struct {
	cfg  rtlccc.Config
	rows []rtlccc.State
	from *origin // of the event being given

	feed    *feed
	answers *answers
	player  *play.Player
	dev     *device.Device
	side    device.Side // dev, except in tests
	group   errgroup.Group
	outcome device.Outcome
	cancel  context.CancelFunc // ends the player
}

// startAhead starts the RTL and the player. The player calls over when it ends, so that the network ends too.
func startAhead(ctx context.Context, cfg *Config, from *origin, over func()) (*ahead, error) {
	spec := rtlccc.DefaultSpec()
	model, err := rtlccc.New(spec)
	if err != nil {
		return nil, err
	}
	a := &ahead{cfg: spec.Config(), rows: make([]rtlccc.State, spec.NumContexts), from: from, feed: newFeed()}
	a.answers = &answers{feed: a.feed}
	s, err := connect(ctx, cfg, cfg.Binary, maxBatch)
	if err != nil {
		return nil, err
	}
	a.dev = &device.Device{Bin: cfg.Binary, Session: s}
	a.side = a.dev
	if cfg.tamper != nil {
		a.side = cfg.tamper(a.dev)
	}
	schema := ccc.Schema()
	a.player = play.New(schema, event.NewLayout(schema), model, a.answers)
	ctx, a.cancel = context.WithCancel(ctx)
	a.group.Go(func() error {
		defer over()
		defer close(a.feed.ended)
		return a.play(ctx)
	})
	return a, nil
}

// play plays the events of the feed to their end, or until the device differs.
func (a *ahead) play(ctx context.Context) error {
	drive := stim.DriveSpec{Resets: []stim.Reset{{Low: 2}}}
	a.player.Begin(stim.Streamed("loop", a.dev.Bin.Block, 1, drive, func(it *stim.Item) bool {
		return a.answers.wrong == nil && a.feed.next(ctx, it)
	}))
	if err := a.player.Stream(ctx, a.side); err != nil {
		return err
	}
	var err error
	a.outcome, err = a.side.Finish()
	return err
}

// do answers an event from the model, and sends it on its way to the device.
func (a *ahead) do(ev *ccc.Event, rsp *ccc.Response) error {
	rtlccc.Apply(&a.cfg, &a.rows[ev.Ctx], ev, rsp)
	if err := taken(ev, rsp); err != nil {
		return err
	}
	return a.feed.put(ev, rsp, a.from)
}

// finish waits until the device has played everything. It returns a leftError when the design differs from the model.
func (a *ahead) finish() (total, error) {
	a.feed.close()
	if err := a.group.Wait(); err != nil {
		return total{}, err
	}
	return total{events: a.answers.compared, cycles: a.player.Played()}, a.judge()
}

// judge returns an error unless the device agrees with every answer that the network got.
func (a *ahead) judge() error {
	p, out, given := a.player, &a.outcome, a.feed.given
	switch {
	case a.answers.wrong != nil:
		return a.answers.wrong
	case out.Failed():
		left := a.answers.journal.at(out.FailedAt())
		if out.RTL != nil {
			left.RTL = out.RTL.Text
		}
		return &leftError{left}
	case p.Events != given || p.Responses != given || a.answers.compared != given:
		return fmt.Errorf("of %d events, %d were played, %d answered and %d answers compared", given, p.Events, p.Responses,
			a.answers.compared)
	case out.Cycles != p.Played() || out.Digest != p.Sum:
		return incomplete(out, p.Played(), p.Sum)
	}
	return nil
}

// incomplete is the error of a device that has not compared every cycle, or other ones.
func incomplete(out *device.Outcome, cycles uint64, sum wire.Digest) error {
	return fmt.Errorf("the device compared %d of %d cycles (digest %016x of %016x)", out.Cycles, cycles,
		uint64(out.Digest), uint64(sum))
}

func (a *ahead) close() {
	a.cancel()
	_ = a.dev.Session.Close() // frees a player that waits for the device
	_ = a.group.Wait()        // finish has returned its error, or the run has failed before
}

// leftError ends a run whose design differs from the model: the network got an answer that the design does not give.
type leftError struct{ at *Left }

func (e *leftError) Error() string { return "the design leaves the model at " + e.at.String() }

// answers compares the answers of the clocked model with those that the network was given.
type answers struct {
	play.Idle
	feed *feed
	done int // items of the oldest batch of the feed that are answered

	compared uint64
	wrong    error // the first difference
	journal  journal
}

// Respond implements play.Listener.
func (a *answers) Respond(n uint64, _ int, out []uint64, _ bool) {
	if a.wrong != nil {
		return
	}
	if len(a.feed.old) == 0 {
		a.wrong = fmt.Errorf("the model answers in cycle %d without an event", n)
		return
	}
	b := a.feed.old[0]
	it := &b.items[b.order[a.done]]
	differ := (out[0] ^ it.want[0]) &^ (ccc.OutEvReady | ccc.OutRspValid)
	for w := 1; w < ccc.OutWords; w++ {
		differ |= out[w] ^ it.want[w]
	}
	if differ != 0 {
		a.wrong = fmt.Errorf("the clocked model answers event %d, %v of host %d context %d at %v, other than the network "+
			"was told: the model depends on the time of its events", it.number, it.kind, it.from.NIC, it.from.CCC,
			it.from.Time)
		return
	}
	a.compared++
	a.journal.add(entry{cycle: n, event: it.number, from: it.from, kind: it.kind})
	if a.done++; a.done == len(b.order) {
		// The driver looks at the words of an item until it is accepted, and all of these are answered.
		a.done, a.feed.old = 0, append(a.feed.old[:0], a.feed.old[1:]...)
		if a.feed.now == b {
			a.feed.now = nil
		}
		a.feed.free <- b
	}
}

// Left is where a design first differs from the model: the first event with another answer, or an answer at another
// time. For a pacer it is the first pull that the model had not given before.
type Left struct {
	Event    uint64 // of the run, from 1, with those that set registers and move contexts; of a pacer's pulls
	Cycle    uint64 // of the device
	Kind     string
	NIC, CCC int32
	Time     units.Picos
	Port     string // of a NIC: the output that differs first
	RTL      string // the design's own report, such as a failed assertion; "" for a difference
}

// String returns the place as "event 7 (ack of host 3 context 0 at 1.2us), cycle 300".
func (l *Left) String() string {
	s := fmt.Sprintf("event %d (%s of host %d context %d at %v), cycle %d", l.Event, l.Kind, l.NIC, l.CCC, l.Time, l.Cycle)
	if l.Kind == pullKind {
		s = fmt.Sprintf("pull %d of host %d at %v, cycle %d", l.Event, l.NIC, l.Time, l.Cycle)
	}
	if l.Kind == nicKind {
		s = fmt.Sprintf("%s of the NIC of host %d at %v, cycle %d", cmp.Or(l.Port, "a report"), l.NIC, l.Time, l.Cycle)
	}
	if l.RTL != "" {
		s += ": " + l.RTL
	}
	return s
}

// entry is an answered event.
type entry struct {
	cycle, event uint64
	from         origin
	kind         ccc.Kind
}

// journalLen is the number of answers that a journal holds. A cycle has at most one answer, so a journal covers all the
// cycles by which the model can be ahead of the device.
const journalLen = 1 << 16

// journal holds the last answers, to find the event of a cycle that the device reports later.
type journal struct {
	ring []entry
	n    uint64
}

func (j *journal) add(e entry) {
	if j.ring == nil {
		j.ring = make([]entry, journalLen)
	}
	j.ring[j.n%journalLen] = e
	j.n++
}

// at returns the event whose answer was due in a cycle or, if there is none, the next one; after the last answer, it
// returns the last event.
func (j *journal) at(cycle uint64) *Left {
	kept := min(j.n, journalLen)
	if kept == 0 {
		return &Left{Cycle: cycle, Kind: "reset"}
	}
	first := j.n - kept
	k := uint64(sort.Search(int(kept), func(i int) bool { return j.ring[(first+uint64(i))%journalLen].cycle >= cycle }))
	e := &j.ring[(first+min(k, kept-1))%journalLen]
	return &Left{Event: e.event, Cycle: cycle, Kind: e.kind.String(), NIC: e.from.NIC, CCC: e.from.CCC, Time: e.from.Time}
}
