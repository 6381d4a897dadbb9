package block

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cover"
	schemaccc "github.com/goldwire/goldwire/vectors/event/ccc"
)

// sample gives one ccc event of a kind with its response to a collector.
func sample(c *cover.Collector, k schemaccc.Kind) {
	var in [schemaccc.EventWords]uint64
	var out [schemaccc.ResponseWords]uint64
	schemaccc.PackEvent(&schemaccc.Event{Kind: k}, in[:])
	schemaccc.PackResponse(&schemaccc.Response{Kind: k}, out[:])
	c.Event(in[:], out[:])
}

func TestReportAndMerge(t *testing.T) {
	a, err := NewCollector("ccc", nil)
	require.NoError(t, err)
	b, err := NewCollector("ccc", nil)
	require.NoError(t, err)
	tx, err := NewCollector("txstate", nil)
	require.NoError(t, err)
	sample(a, schemaccc.KindOpen)
	sample(b, schemaccc.KindCfgRead)
	for _, c := range []*cover.Collector{a, b, b} { // cycles of a reset
		c.Cycle(make([]uint64, schemaccc.InWords), make([]uint64, schemaccc.OutWords))
	}
	require.NoError(t, a.Merge(b))
	for _, name := range []string{"kind/OPEN", "kind/CFG_READ", "cfg_read/MTU"} {
		n, ok := a.Hits(name)
		require.True(t, ok, "no bin %s", name)
		require.EqualValues(t, 1, n, name)
	}
	require.EqualValues(t, 3, a.Cycles)
	require.ErrorContains(t, a.Merge(tx), "does not merge")

	r := a.Report()
	require.Equal(t, r.Bins, r.Hit+r.Unreachable+len(r.Missed))
	text, err := json.Marshal(r)
	require.NoError(t, err)
	for _, key := range []string{`"bins":`, `"hit":`, `"missed":[`, `"impossible":[]`} {
		require.Contains(t, string(text), key)
	}
	var table bytes.Buffer
	require.NoError(t, r.Write(&table))
	require.Contains(t, table.String(), "coverage of ccc")
	require.Contains(t, table.String(), "missed: kind/CLOSE\n")

	_, err = NewCollector("switch", nil)
	require.ErrorContains(t, err, "known blocks are ackgen, ackparse, ")
}

func TestBinNamesAreUnique(t *testing.T) {
	for _, blk := range Blocks() {
		c, err := NewCollector(blk, nil)
		require.NoError(t, err)
		seen := map[string]bool{}
		r := c.Report()
		names := r.Missed
		for _, u := range c.Unreachable() {
			names = append(names, u.Bin)
		}
		require.Len(t, names, r.Bins)
		for _, name := range names {
			require.False(t, seen[name], "%s: %s", blk, name)
			seen[name] = true
		}
		require.Greater(t, len(seen), 80)
	}
}

func TestProofsHold(t *testing.T) {
	for _, p := range []struct {
		block  string
		params map[string]int
	}{{"ccc", nil}, {"txstate", nil}, {"ccc", map[string]int{"NumContexts": 65536}},
		{"ccc", map[string]int{"NumPdcs": 1, "NumProfiles": 1}}, {"ccc", map[string]int{"NumPdcs": 16, "NumProfiles": 16}},
		{"txstate", map[string]int{"NumPdcs": 65536, "Depth": 2}},
		{"egress", nil}, {"trimmer", nil}, {"intmd", nil}, {"switchport", nil},
		{"switchport", map[string]int{"Depth": 8, "Slots": 64}}} {
		c, err := NewCollector(p.block, p.params)
		require.NoError(t, err)
		require.NoError(t, c.CheckProofs())
		for _, u := range c.Unreachable() {
			require.NotEmpty(t, u.Why, u.Bin)
		}
		r := c.Report()
		require.LessOrEqual(t, 20*r.Unreachable, r.Bins, "more than 5 % of the bins are called unreachable")
	}
}

// What a size leaves no room for is said to be unreachable, and nothing else is.
func TestSmallSizesHaveProofs(t *testing.T) {
	low := func(name string) []string { return []string{name + ".low", name + ".medium", name + ".high"} }
	all := func(lists ...[]string) (out []string) {
		for _, l := range lists {
			out = append(out, l...)
		}
		return out
	}
	const before, freed = "packets_of_queue_before_class/", "slots_freed_by_drop_and_by_packet_in_one_cycle/"
	queues := []string{before, "packets_without_note/", "rx_stopped_by_beat/last", freed}
	for _, c := range []struct {
		block  string
		params map[string]int
		of     []string // groups looked at
		want   []string
	}{
		{"intmd", map[string]int{"NumPorts": 1}, []string{"rate_write_in_tick/"},
			[]string{"rate_write_in_tick/of_a_period_with_another_rate_new"}},
		{"intmd", map[string]int{"NumPorts": 2}, []string{"rate_write_in_tick/"}, nil},
		{"switchport", map[string]int{"Depth": 2, "Slots": 2},
			queues,
			all(low(before+"2_to_7"), low(before+"8_or_more"), []string{"packets_without_note/13_or_more",
				"rx_stopped_by_beat/last",
				freed + "one_taken"})},
		{"switchport", map[string]int{"Depth": 2, "Slots": 4}, queues,
			all(low(before+"8_or_more"), []string{"packets_without_note/13_or_more", "rx_stopped_by_beat/last"})},
		{"switchport", map[string]int{"Depth": 4, "Slots": 8}, queues,
			all(low(before+"8_or_more"), []string{"rx_stopped_by_beat/last"})},
		{"switchport", map[string]int{"Depth": 8, "Slots": 16}, queues, nil},
	} {
		cov, err := NewCollector(c.block, c.params)
		require.NoError(t, err)
		require.NoError(t, cov.CheckProofs())
		var got []string
		for _, u := range cov.Unreachable() {
			for _, group := range c.of {
				if strings.HasPrefix(u.Bin, group) {
					got = append(got, u.Bin)
				}
			}
		}
		require.ElementsMatch(t, c.want, got, "%s %v", c.block, c.params)
	}
}
