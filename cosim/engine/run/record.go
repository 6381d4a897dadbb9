package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/device/bind"
	"github.com/goldwire/goldwire/cosim/engine/elastic"
	"github.com/goldwire/goldwire/cosim/engine/reference"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/record"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// Record plays the source on the design of cfg.Bind, or asks the program of cfg.Golden about each event, and writes
// inputs and answers as a vector file. It serves blocks that have no model here, and answers that should not come from
// our model. It uses Per, Pairing, Level, Args and Progress of the spec. With an empty Pairing it tries pairs if the
// block has one stream each way, and returns record.ErrUnpaired if that does not hold. It errors when the design or the
// program breaks, never takes an event, never answers, or lacks a field.
func Record(ctx context.Context, cfg Config, spec record.Spec, w io.Writer) (format.Totals, error) {
	none := format.Totals{}
	kind, err := cfg.kind()
	if err != nil {
		return none, err
	}
	b := kind.Schema
	spec.Block, spec.Source = b, cfg.Source
	spec.Options = stim.Options{Seed: cfg.Seed, Events: int(min(cfg.Events, math.MaxInt)),
		TickNs: int(cfg.tickPs() / 1000)}
	if spec.Params, err = kind.Schema.Values(cfg.sized()); err != nil {
		return none, err
	}
	if err := recordable(&cfg, b, spec.Per); err != nil {
		return none, err
	}
	spec.Pairing = cmp.Or(spec.Pairing, recordPairing(&cfg, b))
	if _, err := record.Header(&spec); err != nil {
		return none, err
	}
	spec.Open = func() (src stim.Source, err error) {
		if cfg.Bind.SchemaOnly() {
			src, err = schema.Open(b, cfg.Source, spec.Options)
		} else {
			src, err = block.Open(b.Name, cfg.Source, spec.Options)
		}
		if err != nil || cfg.Golden != "" {
			return src, err
		}
		return device.Calmed(src, cfg.Bind), nil
	}
	src, err := spec.Open()
	if err != nil {
		return none, err // before the build
	}
	src.Close()
	seed := func(episode string) uint32 { return device.Seed(cfg.Seed, episode) }
	var t recorded
	if cfg.Golden != "" {
		p, err := reference.Dial(ctx, cfg.Golden, &reference.Setup{Block: kind, Params: spec.Params, Timeout: cfg.Timeout})
		if err != nil {
			return none, err
		}
		defer p.Close()
		t, spec.Flush = newProgramModel(b, p), programFlush
	} else {
		dev, err := device.Start(ctx, cfg.device(spec.Params))
		if err != nil {
			return none, err
		}
		defer dev.Close()
		if spec.Per == format.PerTransaction { // transactions are recorded with open outputs
			src, err := spec.Open()
			if err != nil {
				return none, err
			}
			defer src.Close()
			if err := reference.Holds(ctx, dev, cfg.Bind, src, seed); err != nil {
				return none, notStandard(&cfg, err)
			}
		}
		spec.Relaxed, spec.Constants = cfg.Bind.Relaxed(), cfg.Bind.Constants()
		t, spec.Flush = newDeviceModel(dev, device.Elastic(cfg.Bind), cfg.Bind.Latency == bind.Elastic), cfg.Bind.Flush
	}
	spec.Model = t
	// As in a co-simulation, every episode begins with power-on.
	spec.Begin = func(ep *stim.Episode) error {
		if err := t.end(); err != nil { // of the episode before
			return err
		}
		return t.restart(seed(ep.Name))
	}
	totals, err := record.Write(ctx, w, &spec)
	if err == nil {
		err = t.end()
	}
	if err = notStandard(&cfg, err); err == nil {
		err = answered(b, &totals, cfg.Bind)
	}
	return totals, err
}

// notStandard explains the error of a design that breaks the handshake while its answers are recorded. Other errors are
// returned unchanged.
func notStandard(cfg *Config, err error) error {
	var broken *elastic.HandshakeError
	if !errors.As(err, &broken) {
		return err
	}
	return fmt.Errorf("%s: %w, so its answers are no reference for others; fix it, or let another design answer%s",
		cfg.Bind.File, err, reference.RelaxHint(cfg.Bind, broken))
}

// recordable errors if what answers cannot give a file of this kind, or of any kind: the answers of a block may depend
// on cycles, which a program does not have.
func recordable(cfg *Config, b *event.Block, per string) error {
	n := len(b.StreamsOf(event.In))
	switch {
	case n > 1 && cfg.Golden != "":
		return fmt.Errorf("the answers of block %s depend on the cycles in which its %d input streams meet, which a golden "+
			"program does not see; let a design with latency: exact answer (--dut)", b.Name, n)
	case cfg.Golden != "" && per == format.PerCycle:
		return errors.New("--per cycle: a golden program gets events, not cycles; leave it out")
	case cfg.Golden != "":
		return nil
	case n > 1 && cfg.Bind.Latency != bind.Exact:
		return fmt.Errorf("the %d input streams of block %s meet in cycles, which its vector files keep, and %s says "+
			"latency: elastic; give latency: exact", n, b.Name, cfg.Bind.File)
	case per == format.PerCycle && cfg.Bind.Latency != bind.Exact:
		return fmt.Errorf("%s has latency: elastic, so its cycles are no reference for another; leave --per cycle out, or "+
			"give latency: exact", cfg.Bind.File)
	case cfg.Bind.Uncompared() != nil:
		return fmt.Errorf("%s: its map leaves output fields out with none, so nothing would be known of them in the "+
			"file; map them, or let another design answer", cfg.Bind.File)
	}
	return nil
}

// RecordPer returns the default kind of record: a transaction, or a cycle for a block with several streams of events,
// whose answers depend on the cycles in which they meet.
func RecordPer(cfg *Config) string {
	if kind, err := cfg.kind(); err == nil && len(kind.Schema.StreamsOf(event.In)) > 1 {
		return format.PerCycle
	}
	return format.PerTransaction
}

// recordPairing returns how to try to keep the events and responses of a recording: as pairs if there is one stream
// each way, else in order.
func recordPairing(cfg *Config, b *event.Block) string {
	in, out := b.StreamsOf(event.In), b.StreamsOf(event.Out)
	inOrder := cfg.Golden != "" || cfg.Bind.Order == string(elastic.Stream)
	last := slices.ContainsFunc(b.Streams, func(s event.Stream) bool { return s.Field("last") != nil })
	if len(in) == 1 && len(out) == 1 && inOrder && !last {
		return format.PairAnswers
	}
	return format.PairOrder
}

// answered errors if a recording has no response at all, because it would expect nothing.
func answered(b *event.Block, t *format.Totals, bound *bind.Binding) error {
	for _, s := range b.StreamsOf(event.Out) {
		if t.Transfers[s.Name] > 0 {
			return nil
		}
	}
	var taken uint64
	for _, s := range b.StreamsOf(event.In) {
		taken += t.Transfers[s.Name]
	}
	spec := elastic.DefaultSpec(b)
	if bound != nil && bound.Flush > 0 {
		spec = device.Elastic(bound)
	}
	return spec.Silent(taken)
}

// recorded is a model that can break.
type recorded interface {
	event.Model
	Err() error
	restart(seed uint32) error
	end() error // what broke at the last clock edge
}

// deviceModel steps a design as if it were a model.
type deviceModel struct {
	dev     *device.Device
	spec    elastic.Spec
	stretch bool // a reset lasts at least spec.ResetCycles
	low     bool
	ins     []event.Port
	refused []int // by input stream: cycles since it last accepted something
	took    bool  // something was accepted since the restart
	rstN    uint64
	watch   *elastic.Watch
	err     error
}

func newDeviceModel(dev *device.Device, spec elastic.Spec, stretch bool) *deviceModel {
	l := event.NewLayout(spec.Block)
	return &deviceModel{dev: dev, spec: spec, stretch: stretch, rstN: l.Reset(), watch: elastic.NewWatch(&spec),
		ins: l.Inputs(), refused: make([]int, len(l.Inputs()))}
}

func (t *deviceModel) Reset()     {} // restart begins each episode
func (t *deviceModel) Err() error { return t.err }

func (t *deviceModel) restart(seed uint32) error {
	t.low, t.took = false, false
	clear(t.refused)
	t.watch.Begin()
	return t.dev.Restart(seed)
}

// Cycle plays one clock cycle of the design, or a whole reset.
func (t *deviceModel) Cycle(in, out []uint64) {
	if t.err != nil {
		return
	}
	times := 1
	low := in[0]&t.rstN == 0
	if low && !t.low && t.stretch {
		times = t.spec.ResetCycles
	}
	t.low = low
	for range times {
		if t.err = t.settles(t.dev.Session.Step(in, out)); t.err != nil {
			return
		}
		if t.err = t.watch.Look(in, out); t.err != nil {
			return
		}
	}
	for i := range t.ins {
		p := &t.ins[i]
		t.refused[i]++
		if low || !p.Offered(in) || p.Taken(out) {
			t.refused[i] = 0
		}
		t.took = t.took || !low && p.Moves(in, out)
		if t.refused[i] >= t.spec.Patience {
			t.err = t.spec.Stopped(&elastic.Finding{Stream: i}, t.took)
		}
	}
}

func (t *deviceModel) end() error { return t.settles(t.dev.Session.End()) }

// settles returns the error of a step, or a better one of a design that cannot run at all.
func (t *deviceModel) settles(err error) error {
	var rtl *client.RTLError
	if errors.As(err, &rtl) {
		if loop := t.dev.Settles(rtl.Text); loop != nil {
			return loop
		}
	}
	return err
}

// programFlush is the number of silent cycles that end an episode answered by a program, which is asked as soon as
// there is nothing more to offer. programBatch is the most events in one request.
const programFlush, programBatch = 4, 1024

// programModel makes a program that answers event by event look like a model. It is always ready until the program is
// asked, and the answers come one per cycle and stream.
type programModel struct {
	expect  *reference.Dialled
	ins     []event.Port
	words   []uint64 // of the accepted events
	outs    []programOut
	rstN    uint64
	waiting int  // events that the program was not asked about yet
	asking  bool // the program is being asked
	low     bool
	err     error
}

// programOut is an output stream, with the answer that it shows.
type programOut struct {
	*event.Port
	show []uint64
}

func newProgramModel(b *event.Block, e *reference.Dialled) *programModel {
	l := event.NewLayout(b)
	t := &programModel{expect: e, rstN: l.Reset(), words: make([]uint64, l.In.Words), ins: l.Inputs()}
	for i := range l.Outputs() {
		t.outs = append(t.outs, programOut{Port: &l.Outputs()[i]})
	}
	return t
}

func (t *programModel) Reset()     {} // restart begins each episode
func (t *programModel) Err() error { return t.err }

func (t *programModel) restart(seed uint32) error {
	t.forget()
	return t.expect.Restart(seed)
}

func (t *programModel) end() error { return t.err }

func (t *programModel) forget() {
	t.waiting, t.asking = 0, false
	for i := range t.outs {
		t.outs[i].show = nil
	}
}

// Cycle takes what is offered, or shows answers.
func (t *programModel) Cycle(in, out []uint64) {
	clear(out)
	low := in[0]&t.rstN == 0
	fresh := low && !t.low
	if t.low = low; low {
		if fresh && t.err == nil {
			t.forget()
			t.err = t.expect.Reset()
		}
		return
	}
	var offered uint64
	for i := range t.ins {
		offered |= in[0] & t.ins[i].Valid
	}
	if offered == 0 || t.waiting >= programBatch {
		t.asking = true
	}
	if t.asking {
		t.answer(in, out)
		return
	}
	pair := false
	for i := range t.ins {
		p := &t.ins[i]
		if out[0] |= p.Ready; p.Offered(in) && t.err == nil {
			clear(t.words)
			p.Copy(t.words, in)
			t.waiting++
			t.err = t.expect.Accept(i, pair, t.words)
			pair = true
		}
	}
}

// answer shows the program's answers, and stops asking when all were shown.
func (t *programModel) answer(in, out []uint64) {
	any := false
	for i := range t.outs {
		o := &t.outs[i]
		if o.show == nil && t.err == nil {
			o.show, _, t.err = t.expect.Next(i)
		}
		if o.show == nil {
			continue
		}
		any = true
		out[0] |= o.Valid
		o.Copy(out, o.show)
		if o.Taken(in) {
			o.show = nil
		}
	}
	if !any {
		t.waiting, t.asking = 0, false
	}
}
