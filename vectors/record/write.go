package record

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Generator names what draws the stimulus of a file, with a version number. Raise it with every change after which a
// source gives other events for the same seed and number of events.
const Generator = "goldwire vectors 7"

// ErrUnpaired is returned when events and responses do not come in pairs, as format.PairAnswers requires.
var ErrUnpaired = errors.New("an event without its response, or a response without an event")

// Spec describes what goes into a vector file.
type Spec struct {
	Block *event.Block
	Model event.Model // one that can break has a method Err() error, which is asked after every cycle

	Source string
	stim.Options
	Open func() (stim.Source, error) // opens the source

	Per   string   // format.PerCycle or format.PerTransaction
	Level string   // noted in the header
	Args  []string // canonical command line, noted in the header

	Relaxed, Constants []string // of the design that answers, noted in the header (see format.Header)

	// For a block that keeps no contract of ours:
	Pairing string                       // "": FilePairing of the block
	Flush   int                          // cycles of silence that end an episode whose events are taken; 0: answers count
	Begin   func(ep *stim.Episode) error // called ahead of each episode; may be nil

	Progress func(done, total uint64) // events accepted so far; may be nil
}

// Pairing returns how the transactions of a block belong together: blocks with one stream of events and
// one of responses keep the rules of vectors/event/timing.md, where every event has its answer.
func Pairing(b *event.Block) string {
	in, out := b.StreamsOf(event.In), b.StreamsOf(event.Out)
	if len(in) == 1 && len(out) == 1 && in[0].Name == "ev" && out[0].Name == "rsp" {
		return format.PairAnswers
	}
	return format.PairOrder
}

// Header returns the header of a file of that specification. It errors for transactions of a block with
// several input streams: there the order in which two events meet depends on the cycles.
func Header(s *Spec) (format.Header, error) {
	if in := s.Block.StreamsOf(event.In); s.Per == format.PerTransaction && len(in) > 1 {
		return format.Header{}, fmt.Errorf(
			"block %s: its answers depend on the cycle in which its %d input streams meet: give --per cycle",
			s.Block.Name, len(in))
	}
	text, err := format.SchemaText(s.Block)
	if err != nil {
		return format.Header{}, err
	}
	params, err := s.Block.Values(s.Params)
	if err != nil {
		return format.Header{}, err
	}
	args := s.Args
	if args == nil {
		args = []string{}
	}
	pairing := s.Pairing
	if pairing == "" {
		pairing = Pairing(s.Block)
	}
	return format.Header{Block: s.Block.Name, Per: s.Per, Pairing: pairing, SchemaHash: s.Block.Hash(),
		Relaxed: s.Relaxed, Constants: s.Constants, Params: params,
		Source: s.Source, Seed: s.Seed, Level: s.Level, Generator: Generator, Args: args, Schema: text}, nil
}

// checkEvery is how many cycles pass between two checks of the context.
const checkEvery = 1 << 14

// Write plays a source through the model and writes what it was given and what it answered. Equal
// specifications give equal bytes. Memory does not grow with the number of events.
func Write(ctx context.Context, w io.Writer, s *Spec) (format.Totals, error) {
	h, err := Header(s)
	if err != nil {
		return format.Totals{}, err
	}
	if s.Open == nil {
		return format.Totals{}, fmt.Errorf("source %s: nothing opens it", s.Source)
	}
	src, err := s.Open()
	if err != nil {
		return format.Totals{}, err
	}
	defer src.Close()
	fw, err := format.NewWriter(w, h)
	if err != nil {
		return format.Totals{}, err
	}
	l := event.NewLayout(s.Block)
	p := &player{ctx: ctx, w: fw, model: s.Model, driver: drive.NewDriver(l), progress: s.Progress,
		total: uint64(s.Events), flush: s.Flush,
		in: make([]uint64, l.In.Words), out: make([]uint64, l.Out.Words), rstN: l.Reset(),
		takes: l.Inputs(), gives: l.Outputs(), open: l.Readies()}
	if b, ok := s.Model.(interface{ Err() error }); ok {
		p.broken = b.Err
	}
	play := p.perCycle
	if s.Per == format.PerTransaction {
		play = p.perTransaction
		p.answers = h.Pairing == format.PairAnswers
	}
	s.Model.Reset()
	for {
		ep, ok := src.Next()
		if !ok {
			break
		}
		if s.Begin != nil {
			if err := s.Begin(ep); err != nil {
				return format.Totals{}, fmt.Errorf("episode %s: %w", ep.Name, err)
			}
		}
		fw.Mark(ep.Name, ep.Seed)
		if err := play(ep); err != nil {
			return format.Totals{}, fmt.Errorf("episode %s: %w", ep.Name, err)
		}
	}
	if err := src.Err(); err != nil {
		return format.Totals{}, fmt.Errorf("source %s: %w", s.Source, err)
	}
	return fw.Close()
}

// player plays episodes through the model into a file.
type player struct {
	ctx      context.Context
	w        *format.Writer
	model    event.Model
	driver   *drive.Driver
	in, out  []uint64
	rstN     uint64
	takes    []event.Port // of the input streams
	gives    []event.Port // of the output streams
	answers  bool
	progress func(done, total uint64)
	broken   func() error // nil: the model cannot break
	open     uint64       // ready of every output
	flush    int          // as in FileSpec
	idle     int          // cycles in which nothing was transferred

	cycles, accepted, total uint64
}

// cycle plays the next cycle; it returns false when the episode is over.
func (p *player) cycle() (bool, error) {
	if p.cycles++; p.cycles%checkEvery == 0 {
		if err := p.ctx.Err(); err != nil {
			return false, context.Cause(p.ctx)
		}
		if p.progress != nil {
			p.progress(p.accepted, p.total)
		}
	}
	switch {
	case p.flush > 0 && p.driver.Drained():
		if p.idle >= p.flush {
			return false, nil
		}
		clear(p.in)
		p.in[0] = p.rstN | p.open
	case !p.driver.Drive(p.in):
		return false, nil
	}
	p.model.Cycle(p.in, p.out)
	if p.broken != nil {
		if err := p.broken(); err != nil {
			return false, err
		}
	}
	p.driver.Observe(p.out)
	p.idle++
	for i := range p.takes {
		if p.in[0]&p.rstN == 0 || p.takes[i].Moves(p.in, p.out) {
			p.idle = 0
		}
	}
	for i := range p.gives {
		if p.gives[i].Offered(p.out) {
			p.idle = 0
		}
	}
	return true, nil
}

// begin starts an episode.
func (p *player) begin(ep *stim.Episode) {
	p.driver.Begin(ep)
	p.idle = 0
}

func (p *player) perCycle(ep *stim.Episode) error {
	p.begin(ep)
	for {
		more, err := p.cycle()
		if !more || err != nil {
			return err
		}
		if p.in[0]&p.rstN != 0 && p.takes[0].Moves(p.in, p.out) {
			p.accepted++
		}
		if err := p.w.Write(p.in, p.out); err != nil {
			return err
		}
	}
}
