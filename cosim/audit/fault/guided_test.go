package fault

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/cosim/audit/guide"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// TestGuidedAgainstRandom counts the drawn faults that a guided corpus finds, and those that twice as many random
// events find, over seeds of both. GOLDWIRE_GUIDED has BLOCK:SEEDS:EVENTS[,EVENTS...], such as txstate:1-20:1000,4000,
// where EVENTS are those of the corpus. It judges nothing and prints a row for each seed.
func TestGuidedAgainstRandom(t *testing.T) {
	what := os.Getenv("GOLDWIRE_GUIDED")
	if what == "" {
		t.Skip("takes minutes to hours; set GOLDWIRE_GUIDED=txstate:1-20:1000,4000")
	}
	parts := strings.Split(what, ":")
	require.Len(t, parts, 3)
	var from, to uint64
	_, err := fmt.Sscanf(parts[1], "%d-%d", &from, &to)
	require.NoError(t, err)
	name := parts[0]
	drawn, err := strconv.Atoi(cmp.Or(os.Getenv("GOLDWIRE_DRAWN"), "200"))
	require.NoError(t, err)
	search, err := strconv.ParseUint(cmp.Or(os.Getenv("GOLDWIRE_SEARCH"), "300000"), 10, 64)
	require.NoError(t, err)

	d, err := Load("../../..", name)
	require.NoError(t, err)
	c := &campaign{Spec: Spec{Root: "../../..", Block: name, Hand: []string{}, Drawn: 2 * drawn, Seed: 1}, d: d,
		rest: d.Draw(1)}
	faults, err := c.faults()
	require.NoError(t, err)
	var inside []*Fault
	for _, f := range faults {
		if f.guardable() && len(inside) < drawn {
			inside = append(inside, f)
		}
	}
	dir, err := filepath.Abs("../../../build/guided-measure-" + name)
	require.NoError(t, err)
	s, err := d.buildAll(t.Context(), filepath.Join(dir, "rtl"), inside, func(*Fault) *Fault { return nil })
	require.NoError(t, err)
	hard := make([]bool, len(s.faults)) // those that count
	for i := range hard {
		hard[i] = true
	}
	kills := func(step Step) (caught []bool, took time.Duration) {
		caught = make([]bool, len(s.faults))
		begin := time.Now()
		got, err := play(t.Context(), s.selecting(-1), name, step)
		require.NoError(t, err)
		require.Nil(t, got, "the RTL itself fails %+v: %+v", step, got)
		took = time.Since(begin)
		g, ctx := errgroup.WithContext(t.Context())
		g.SetLimit(2)
		for i := range s.faults {
			if !hard[i] {
				caught[i] = true
				continue
			}
			g.Go(func() error {
				got, err := play(ctx, s.selecting(i), name, step)
				caught[i] = got != nil
				return err
			})
		}
		require.NoError(t, g.Wait())
		return caught, took
	}
	corpusOf := func(seed uint64, events int) (Step, *corpus.Corpus, time.Duration) {
		begin := time.Now()
		all, err := guide.Search(t.Context(), guide.Spec{Block: name, Seed: seed, Events: search, Keep: events})
		require.NoError(t, err)
		took := time.Since(begin)
		to := filepath.Join(dir, fmt.Sprintf("corpus-%d-%d", seed, events))
		require.NoError(t, guide.Save(to, all))
		return Step{Source: "guided", Seed: seed, Corpus: to}, all, took
	}
	sum := func(caught []bool) (n int) {
		for _, x := range caught {
			if x {
				n++
			}
		}
		return n
	}
	// Faults that 500 events find, random and guided of a seed that is not measured, are easy: they count as found.
	step, _, _ := corpusOf(1001, 500)
	easyGuided, _ := kills(step)
	easyRandom, _ := kills(Step{Source: "random", Seed: 1001, Events: 500})
	for i := range hard {
		hard[i] = !easyGuided[i] || !easyRandom[i]
	}
	require.NotZero(t, sum(hard), "nothing is left to measure")
	fmt.Printf("%s: %d of %d faults are hard: 500 events miss them, guided %d, random %d\n", name, sum(hard), len(hard),
		len(hard)-sum(easyGuided), len(hard)-sum(easyRandom))
	for seed := from; seed <= to; seed++ {
		for _, text := range strings.Split(parts[2], ",") {
			events, err := strconv.Atoi(text)
			require.NoError(t, err)
			step, all, searched := corpusOf(seed, events)
			guided, took := kills(step)
			twice, tookTwice := kills(Step{Source: "random", Seed: seed, Events: 2 * uint64(events)})
			var lost, won []string
			for i, f := range s.faults {
				if twice[i] && !guided[i] {
					lost = append(lost, f.ID())
				} else if guided[i] && !twice[i] {
					won = append(won, f.ID())
				}
			}
			fmt.Printf("%s seed %d: of %d faults guided %d with %d events, %d cases; random %d with twice as many; "+
				"search %.1fs, play %.2fs, random twice %.2fs; only random %v, only guided %v\n", name, seed, len(s.faults),
				sum(guided), all.Events(), len(all.Cases), sum(twice), searched.Seconds(), took.Seconds(),
				tookTwice.Seconds(), lost, won)
		}
	}
}
