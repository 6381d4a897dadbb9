package cost

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/fabricplan"
	"github.com/goldwire/goldwire/golden/fabric/result"
)

// Point is the runs of a case with one value, a number for each seed. Times are microseconds.
type Point struct {
	Value     int
	Mean, P99 []float64 // of the completion times of all flows
	digests   []uint64
}

// Answer is what a question gave.
type Answer struct {
	*Question
	Seeds  []uint64
	Points [][]Point // by case and value
	Areas  []Area    // by value; nil where none is asked for or NoArea is set
	NoArea error     // why area was not counted
}

// Least is the least number of seeds that have a scatter worth the name.
const Least = 3

// Runs returns the number of simulations for a number of seeds.
func (q *Question) Runs(seeds int) int { return len(q.Cases) * len(q.Values) * seeds }

// sets returns the settings of a case with a value.
func (q *Question) sets(c *Case, value string) []string {
	return append(slices.Concat(q.Sets, c.Sets), q.Setting+"="+value)
}

// Ask makes all runs of a question. It errors if one cannot be made, does not keep its books, or has an unfinished
// flow. done is called after each group of runs with their number; nil for none. root is the folder of the repository.
func Ask(ctx context.Context, q *Question, seeds []uint64, root string, done func(runs int)) (*Answer, error) {
	if len(seeds) < Least {
		return nil, fmt.Errorf("%d seeds: want at least %d, since a difference is judged by its scatter", len(seeds), Least)
	}
	a := &Answer{Question: q, Seeds: seeds}
	for i := range q.Cases {
		var row []Point
		for _, v := range q.Values {
			p, err := q.point(ctx, &q.Cases[i], v, seeds)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, %s = %d: %w", q.Name, q.Cases[i].About, q.Setting, v, err)
			}
			row = append(row, p)
			if done != nil {
				done(len(seeds))
			}
		}
		a.Points = append(a.Points, row)
	}
	if q.RTL != "" {
		if a.Areas, a.NoArea = q.areas(ctx, root); ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	return a, nil
}

// point makes the runs of one value.
func (q *Question) point(ctx context.Context, c *Case, value int, seeds []uint64) (Point, error) {
	out := Point{Value: value}
	plan, err := fabricplan.Load(c.Preset, q.sets(c, strconv.Itoa(value)))
	if err != nil {
		return out, err
	}
	if err := plan.Complete(&fabricplan.Request{CCs: []string{q.Control}, Seeds: seeds,
		UDPPort: capture.UDPPort}); err != nil {
		return out, err
	}
	all, _, err := plan.Run(ctx, q.Control, fabricplan.Watching{})
	if err != nil {
		return out, err
	}
	for i, r := range all {
		if err := sound(r); err != nil {
			return out, fmt.Errorf("seed %d: %w", seeds[i], err)
		}
		fct := r.FCT()
		out.Mean, out.P99 = append(out.Mean, fct.Mean), append(out.P99, fct.P99)
		out.digests = append(out.digests, r.Digest)
	}
	return out, nil
}

// sound returns why the completion times of a run mean nothing, or nil.
func sound(r *result.Result) error {
	switch n := len(r.Unfinished()); {
	case len(r.Flows) == 0:
		return errors.New("no flow")
	case n > 0:
		return fmt.Errorf("%d of %d flows are unfinished", n, len(r.Flows))
	}
	return r.Verify()
}
