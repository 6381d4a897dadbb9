package wordlen

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// point is the fraction bits of each value of a search.
type point []int

func (p point) key() string { return fmt.Sprint([]int(p)) }

// with returns the point with n more bits of value v.
func (p point) with(v, n int) point {
	q := slices.Clone(p)
	q[v] += n
	return q
}

// verdict is what the evaluation of a point comes to: whether it keeps the bounds, and the largest figure as a share of
// its bound.
type verdict struct {
	keeps bool
	use   float64
}

// search looks for the cheapest point from lo to hi that keeps the bounds. It takes for granted that more bits never
// harm, where that prunes; whatever it returns has been evaluated and keeps them.
type search struct {
	lo, hi point
	weight []int // cost of a bit
	// ask evaluates points, in parallel; one asked before costs nothing.
	ask func(context.Context, []point) ([]verdict, error)

	least point // of each value, with all others at hi
}

func (s *search) cost(p point) (c int) {
	for v, n := range p {
		c += n * s.weight[v]
	}
	return c
}

// run returns the cheapest point found; hi must keep the bounds.
func (s *search) run(ctx context.Context) (point, error) {
	if err := s.alone(ctx); err != nil {
		return nil, err
	}
	p, err := s.diagonal(ctx)
	if err != nil {
		return nil, err
	}
	best, err := s.descend(ctx, p, -1)
	for improved := true; improved && err == nil; {
		improved = false
		// One bit more somewhere may save two elsewhere.
		for v := range best {
			if best[v] == s.hi[v] {
				continue
			}
			var q point
			if q, err = s.descend(ctx, best.with(v, 1), v); err != nil {
				break
			}
			if s.cost(q) < s.cost(best) {
				best, improved = q, true
			}
		}
	}
	return best, err
}

// alone finds the least bits of each value with all others at hi, by halving, all values at once.
func (s *search) alone(ctx context.Context) error {
	bad := make(point, len(s.lo)) // the most bits known to break the bounds
	s.least = slices.Clone(s.hi)
	for v := range bad {
		bad[v] = s.lo[v] - 1
	}
	for first := true; ; first = false {
		var ask []point
		var of []int
		for v := range bad {
			if s.least[v]-bad[v] <= 1 {
				continue
			}
			n := (s.least[v] + bad[v]) / 2
			if first {
				n = s.lo[v]
			}
			ask, of = append(ask, s.hi.with(v, n-s.hi[v])), append(of, v)
		}
		if len(ask) == 0 {
			return nil
		}
		got, err := s.ask(ctx, ask)
		if err != nil {
			return err
		}
		for i, v := range of {
			if n := ask[i][v]; got[i].keeps {
				s.least[v] = n
			} else {
				bad[v] = n
			}
		}
	}
}

// level returns least with n more bits of each value, or fewer, within the ends.
func (s *search) level(n int) point {
	p := make(point, len(s.least))
	for v := range p {
		p[v] = min(max(s.least[v]+n, s.lo[v]), s.hi[v])
	}
	return p
}

// levels returns the number of levels from least to hi.
func (s *search) levels() (n int) {
	for v := range s.least {
		n = max(n, s.hi[v]-s.least[v])
	}
	return n
}

// diagonal returns the first level that keeps the bounds: errors of values that are harmless alone add up.
func (s *search) diagonal(ctx context.Context) (point, error) {
	for n := range s.levels() {
		p := s.level(n)
		got, err := s.ask(ctx, []point{p})
		if err != nil {
			return nil, err
		}
		if got[0].keeps {
			return p, nil
		}
	}
	return slices.Clone(s.hi), nil
}

// descend takes bits away one by one, those first that cost the least share of a bound for each bit of cost, until none
// can be spared. The value held keeps its bits.
func (s *search) descend(ctx context.Context, p point, held int) (point, error) {
	got, err := s.ask(ctx, []point{p})
	if err != nil {
		return nil, err
	}
	if !got[0].keeps {
		return slices.Clone(s.hi), nil
	}
	use := got[0].use
	var live []int
	for v := range p {
		if v != held && s.weight[v] > 0 {
			live = append(live, v)
		}
	}
	for {
		live = slices.DeleteFunc(live, func(v int) bool { return p[v] <= s.least[v] })
		if len(live) == 0 {
			return p, nil
		}
		var ask []point
		for _, v := range live {
			ask = append(ask, p.with(v, -1))
		}
		if got, err = s.ask(ctx, ask); err != nil {
			return nil, err
		}
		best, price := -1, math.Inf(1)
		var still []int
		for i, v := range live {
			if !got[i].keeps {
				continue
			}
			still = append(still, v)
			x := (got[i].use - use) / float64(s.weight[v])
			if best < 0 || x < price || x == price && s.weight[v] > s.weight[live[best]] {
				best, price = i, x
			}
		}
		if best < 0 {
			return p, nil
		}
		p, use, live = ask[best], got[best].use, still
	}
}
