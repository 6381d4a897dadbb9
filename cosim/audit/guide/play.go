package guide

import (
	"context"
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// stage plays cases on the model and sees which bins they hit.
type stage struct {
	kind    *block.Block
	params  map[string]int
	lay     *event.Layout
	player  *play.Player
	tally   *tally
	cover   *cover.Collector
	before  []uint64 // of the block's coverage
	in, out []uint64
}

// covered hands the cycles to the collector of the block's coverage.
type covered struct {
	play.Still
	*cover.Collector
}

func (c covered) Cycle(_ uint64, in, out []uint64) { c.Collector.Cycle(in, out) }

func newStage(kind *block.Block, params map[string]int) (*stage, error) {
	model, err := play.NewModel(kind, params)
	if err != nil {
		return nil, err
	}
	lay := event.NewLayout(kind.Schema)
	s := &stage{kind: kind, params: params, lay: lay, tally: newTally(kind.Schema, lay),
		cover: cover.New(kind.Coverage, params)}
	s.player = play.New(kind.Schema, lay, model, s.tally, covered{Collector: s.cover})
	if m, ok := model.(event.Explainer); ok {
		m.Explain(s.tally.decided)
	}
	s.in, s.out = make([]uint64, s.player.InWords), make([]uint64, s.player.OutWords)
	s.before = slices.Clone(s.cover.Counts())
	return s, nil
}

// most bounds the cycles of a case, so that one that hangs does not use up the search.
const most = 1 << 20

var errLong = fmt.Errorf("it takes more than %d cycles", most)

// play returns the bins that an episode hits, and its cycles. The list is valid until the next call. An error means
// that the model cannot play the case.
func (s *stage) play(ctx context.Context, ep *stim.Episode) (seen []bin, cycles uint64, err error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, context.Cause(ctx)
	}
	s.player.Begin(ep)
	first := s.player.Cycles
	if err = s.player.Until(ctx, first+most, nil); err != nil {
		s.player.Model.Reset()
		return nil, 0, err
	}
	cycles = s.player.Cycles - first
	if cycles >= most {
		return nil, cycles, fmt.Errorf("episode %s: %w", ep.Name, errLong)
	}
	for i, n := range s.cover.Counts() {
		if n != s.before[i] {
			s.tally.note(ofCoverage, uint64(i))
			s.before[i] = n
		}
	}
	return s.tally.seen, cycles, nil
}

// text returns a number for a name.
func text(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}
