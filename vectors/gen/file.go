package gen

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

// FileGenerator names what draws the stimulus of a file, with the number of its edition. Raise it with
// every change after which a source, seed and number of events give other events.
const FileGenerator = "goldwire vectors 3"

// Twin is the cycle-true golden model of a block: Cycle is one clock cycle on packed records, Reset is
// power-on.
type Twin interface {
	Reset()
	Cycle(in, out []uint64)
}

// ErrUnpaired says that events and responses do not come in pairs, as format.PairAnswers has them.
var ErrUnpaired = errors.New("an event without its response, or a response without an event")

// FileSpec says what goes into a vector file.
type FileSpec struct {
	Block *event.Block
	Twin  Twin // one that can break has a method Err() error, which is asked after every cycle

	Source string
	Options
	Per   string   // format.PerCycle or format.PerTransaction
	Level string   // noted in the header
	Args  []string // canonical command line, noted in the header

	Relaxed, Constants []string // of the design that answers, noted in the header (see format.Header)

	// For a block that keeps no contract of ours:
	Open    func() (Source, error)  // what opens the source; nil: Open
	Pairing string                  // "": FilePairing of the block
	Flush   int                     // cycles of silence that end an episode once its events are accepted; 0: the driver counts answers
	Begin   func(ep *Episode) error // called ahead of each episode; may be nil

	Progress func(done, total uint64) // events accepted so far; may be nil
}

// FilePairing returns how the transactions of a block belong together: blocks with one stream of events and
// one of responses keep the rules of vectors/event/timing.md, where every event has its answer.
func FilePairing(b *event.Block) string {
	in, out := b.StreamsOf(event.In), b.StreamsOf(event.Out)
	if len(in) == 1 && len(out) == 1 && in[0].Name == "ev" && out[0].Name == "rsp" {
		return format.PairAnswers
	}
	return format.PairOrder
}

// FileHeader returns the header of a file of that specification. It errors for transactions of a block with
// several input streams: which of two events meets the other first is a matter of cycles there.
func FileHeader(s *FileSpec) (format.Header, error) {
	if in := s.Block.StreamsOf(event.In); s.Per == format.PerTransaction && len(in) > 1 {
		return format.Header{}, fmt.Errorf("block %s: its answers depend on the cycle in which its %d input streams meet: give --per cycle", s.Block.Name, len(in))
	}
	text, err := format.SchemaText(s.Block)
	if err != nil {
		return format.Header{}, err
	}
	params := map[string]int{}
	for _, p := range s.Block.Params {
		params[p.Name] = p.Default
		if v, ok := s.Params[p.Name]; ok {
			params[p.Name] = v
		}
	}
	args := s.Args
	if args == nil {
		args = []string{}
	}
	pairing := s.Pairing
	if pairing == "" {
		pairing = FilePairing(s.Block)
	}
	return format.Header{Block: s.Block.Name, Per: s.Per, Pairing: pairing, SchemaHash: s.Block.Hash(), Relaxed: s.Relaxed, Constants: s.Constants, Params: params,
		Source: s.Source, Seed: s.Seed, Level: s.Level, Generator: FileGenerator, Args: args, Schema: text}, nil
}

// checkEvery is how many cycles pass between two looks at the context.
const checkEvery = 1 << 14

// WriteFile plays a source through the twin and writes what it was given and what it answered. Equal
// specifications give equal bytes. Memory does not grow with the number of events.
func WriteFile(ctx context.Context, w io.Writer, s *FileSpec) (format.Totals, error) {
	h, err := FileHeader(s)
	if err != nil {
		return format.Totals{}, err
	}
	open := s.Open
	if open == nil {
		open = func() (Source, error) { return Open(s.Block.Name, s.Source, s.Options) }
	}
	src, err := open()
	if err != nil {
		return format.Totals{}, err
	}
	defer src.Close()
	fw, err := format.NewWriter(w, h)
	if err != nil {
		return format.Totals{}, err
	}
	l := event.NewLayout(s.Block)
	p := &filePlayer{ctx: ctx, w: fw, twin: s.Twin, driver: NewDriver(l), progress: s.Progress, total: uint64(s.Events), flush: s.Flush,
		in: make([]uint64, l.In.Words), out: make([]uint64, l.Out.Words), rstN: l.In.Control("rst_n")}
	for _, st := range s.Block.StreamsOf(event.In) {
		p.takes = append(p.takes, take{l.In.Control(st.Name + "_valid"), l.Out.Control(st.Name + "_ready")})
	}
	for _, st := range s.Block.StreamsOf(event.Out) {
		p.gives = append(p.gives, take{l.Out.Control(st.Name + "_valid"), l.In.Control(st.Name + "_ready")})
	}
	for _, g := range p.gives {
		p.open |= g.ready
	}
	if b, ok := s.Twin.(interface{ Err() error }); ok {
		p.broken = b.Err
	}
	play := p.perCycle
	if s.Per == format.PerTransaction {
		play = p.perTransaction
		p.answers = h.Pairing == format.PairAnswers
	}
	s.Twin.Reset()
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

// take is the handshake of one stream: its valid in one record, its ready in the other.
type take struct{ valid, ready uint64 }

// filePlayer plays episodes through the twin into a file.
type filePlayer struct {
	ctx      context.Context
	w        *format.Writer
	twin     Twin
	driver   *Driver
	in, out  []uint64
	rstN     uint64
	takes    []take // of the input streams
	gives    []take // of the output streams
	answers  bool
	progress func(done, total uint64)
	broken   func() error // nil: the twin cannot break
	open     uint64       // ready of every output
	flush    int          // as in FileSpec
	idle     int          // cycles in which nothing was transferred

	cycles, accepted, total uint64
}

// cycle plays the next cycle; it returns false when the episode is over.
func (p *filePlayer) cycle() (bool, error) {
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
	p.twin.Cycle(p.in, p.out)
	if p.broken != nil {
		if err := p.broken(); err != nil {
			return false, err
		}
	}
	p.driver.Observe(p.out)
	p.idle++
	for _, t := range p.takes {
		if p.in[0]&p.rstN == 0 || p.in[0]&t.valid != 0 && p.out[0]&t.ready != 0 {
			p.idle = 0
		}
	}
	for _, g := range p.gives {
		if p.out[0]&g.valid != 0 {
			p.idle = 0
		}
	}
	return true, nil
}

// begin starts an episode.
func (p *filePlayer) begin(ep *Episode) {
	p.driver.Begin(ep)
	p.idle = 0
}

func (p *filePlayer) perCycle(ep *Episode) error {
	p.begin(ep)
	for {
		more, err := p.cycle()
		if !more || err != nil {
			return err
		}
		if p.in[0]&p.rstN != 0 && p.in[0]&p.takes[0].valid != 0 && p.out[0]&p.takes[0].ready != 0 {
			p.accepted++
		}
		if err := p.w.Write(p.in, p.out); err != nil {
			return err
		}
	}
}
