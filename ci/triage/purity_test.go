package triage_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/device/revision"
)

// The least purity of the key with a good design.
const (
	leastPurity = 0.95
	mostBuckets = 1.5
)

// planted is how many faults of each block are planted, and with how many seeds each is played.
type planted struct {
	block         string
	faults, seeds int
}

// Failures of planted faults fall into buckets of one fault each, and into few buckets per fault. The faults are the
// first of the draw in each block, not chosen. GOLDWIRE_LONG=1 takes fifty of them and twenty seeds.
func TestPurity(t *testing.T) {
	blocks := []planted{{"txstate", 2, 2}}
	if os.Getenv("GOLDWIRE_LONG") != "" {
		blocks = []planted{{"ccc", 9, 20}, {"egress", 9, 20}, {"intmd", 8, 20}, {"switchport", 8, 20}, {"trimmer", 8, 20},
			{"txstate", 8, 20}}
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	program := filepath.Join(dir, "goldwire")
	// Not revision.Build: its flags, for trees anywhere, would compile every package again.
	_, err = revision.Output(t.Context(), root, "go", "build", "-buildvcs=false", "-o", program, "./cosim/cmd/goldwire")
	require.NoError(t, err)
	var runs []plan.Run
	faults := map[string]string{} // by the name of a run
	for _, b := range blocks {
		for k := 1; k <= b.faults; k++ {
			fault := fmt.Sprintf("%s.%d", b.block, k)
			rtl := filepath.Join(dir, fault)
			_, err := revision.Output(t.Context(), root, program, "faults", "plant", "--block", b.block, "--fault",
				strconv.Itoa(k), "-o", rtl)
			require.NoError(t, err)
			for seed := 1; seed <= b.seeds; seed++ {
				r := plan.Run{ID: fmt.Sprintf("%s.%d", fault, seed), Test: b.block, Block: b.block, Source: "random",
					Seed: uint64(seed), Events: 20000, Seconds: 900, MemoryMB: 4096, Design: fault,
					Args: []string{"cosim", "--block", b.block, "--rtl", rtl, "--source", "random", "--seed", strconv.Itoa(seed),
						"--events", "20k", "--no-float", "--transport", "shm", "--json", plan.JSON}}
				runs, faults[r.ID] = append(runs, r), fault
			}
		}
	}
	head, err := campaign.NewHead(root, program, "planted", "2026-11-22", runs, plan.Goals{})
	require.NoError(t, err)
	c := campaign.Config{Root: root, Program: program, Dir: filepath.Join(dir, "campaign"), Head: head, Slots: 2,
		Good: &campaign.Good{Name: "ours", RTL: filepath.Join(root, "hdl", "rtl")}, Note: func(string) {}}
	sum, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Zero(t, sum.Errors+sum.Missing)
	all, err := campaign.Read(c.Dir)
	require.NoError(t, err)
	found, pure, pairs := map[string]bool{}, 0, 0
	for _, b := range triage.New(all).Buckets {
		of, most := map[string]int{}, 0
		for _, id := range b.IDs {
			of[faults[id]]++
			found[faults[id]] = true
			most = max(most, of[faults[id]])
		}
		pure, pairs = pure+most, pairs+len(of)
		t.Logf("%s: %v", b.Title(), of)
	}
	require.GreaterOrEqual(t, len(found), blocks[0].faults)
	purity, each := float64(pure)/float64(sum.Failed), float64(pairs)/float64(len(found))
	t.Logf("%d failures of %d faults: purity %.2f, %.2f buckets a fault", sum.Failed, len(found), purity, each)
	if len(blocks) == 1 {
		require.Len(t, found, blocks[0].faults, "random events found every one of them before")
	}
	require.GreaterOrEqual(t, purity, leastPurity)
	require.LessOrEqual(t, each, mostBuckets)
}
