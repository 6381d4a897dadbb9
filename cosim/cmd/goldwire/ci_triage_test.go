package main

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// Triage ends with 1 for a failure, with 2 for an incomplete or missing campaign, and with 0 only if all passed.
func TestTriageEnds(t *testing.T) {
	require.Contains(t, must(t, "ci", "triage", campaignFolder(t, campaign.Passed, 3)), "PASSED  stage smoke")
	failed := campaignFolder(t, campaign.Failed, 3)
	o := goldwire(t, "ci", "triage", failed)
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
	require.Contains(t, o.stdout, "BUCKET  ccc-cwnd-ACK-")
	requireBroken(t, goldwire(t, "ci", "triage", t.TempDir()), "holds no campaign")
	requireBroken(t, goldwire(t, "ci", "triage", campaignFolder(t, campaign.Error, 3)), "1 ended in errors")
	missing := campaignFolder(t, campaign.Passed, 3)
	require.NoError(t, os.Remove(filepath.Join(missing, "records", "ccc.random.seed1.json")))
	requireBroken(t, goldwire(t, "ci", "triage", missing), "1 are missing")
	// A failure stays found if runs are missing or the result cannot be written.
	o = goldwire(t, "ci", "triage", failed, "--json", "/dev/full")
	require.Equal(t, cli.ExitMismatch, o.code, o.stderr)
}

func TestBisectCalledWrongly(t *testing.T) {
	failed := campaignFolder(t, campaign.Failed, 3)
	for _, x := range []struct {
		args []string
		want string
	}{
		{[]string{"ccc"}, "--good: no revision given"},
		{[]string{"tay", "--good", "HEAD"}, `bucket "tay": unknown; give one of ccc-cwnd-ACK-`},
		{[]string{"ccc", "--good", "HEAD"}, "give one that fails with --bad"},
		{[]string{"ccc", "--good", "HEAD", "--bad", "HEAD"}, "are one"},
		{[]string{"ccc", "--good", "gone", "--bad", "HEAD"}, `revision "gone"`},
	} {
		requireBroken(t, goldwire(t, append([]string{"ci", "bisect", "--dir", failed}, x.args...)...), x.want)
	}
}

// The text of kept events gives the same events again, in both languages of directed cases.
func TestKeptEventsAreTheSame(t *testing.T) {
	type item struct {
		Lane  int      `json:"lane"`
		Wait  uint8    `json:"wait"`
		Gap   uint16   `json:"gap"`
		Words []uint64 `json:"words"`
	}
	text := func(b *event.Block, items []item) string {
		params := map[string]int{}
		for _, p := range b.Params {
			params[p.Name] = p.Default
		}
		doc, err := json.Marshal(map[string]any{"block": b.Name, "schema_hash": b.Hash(), "params": params, "items": items})
		require.NoError(t, err)
		out, err := triage.CaseText(b, doc, "kept/case", "words")
		require.NoError(t, err)
		return out
	}
	draw := rand.New(rand.NewPCG(1, 2))
	// draws returns an event with all fields drawn, of a kind that its block knows.
	draws := func(b *event.Block, stream string) []uint64 {
		in := &event.NewLayout(b).In
		words := make([]uint64, in.Words)
		for _, f := range b.Stream(stream).Fields {
			v := draw.Uint64()
			if f.Name == "kind" {
				v = b.Enum(f.Enum).Values[draw.IntN(len(b.Enum(f.Enum).Values))].Value
			}
			in.Slot(stream, f.Name).Set(words, v&(^uint64(0)>>(64-f.Width)))
		}
		return words
	}
	for _, b := range []*event.Block{txstate.Schema(), ccc.Schema()} {
		var items []item
		for range 50 {
			items = append(items, item{Words: draws(b, "ev")})
		}
		d := casefile.Dialect{Block: b}
		cases, err := d.Parse(nil, "kept.txt", text(b, items))
		require.NoError(t, err)
		require.Len(t, cases[0].Steps, len(items))
		for i, st := range cases[0].Steps {
			require.Equal(t, items[i].Words, st.Words, "%s event %d", b.Name, i)
		}
	}
	b := egress.Schema()
	var items []item
	for range 50 {
		lane := draw.IntN(2)
		items = append(items, item{lane, []uint8{0, 1, 2, 255}[draw.IntN(4)], uint16(draw.IntN(3)),
			draws(b, b.StreamsOf(event.In)[lane].Name)})
	}
	lang := casefile.Language{Block: b, Answers: map[string]string{"enq": "enqr", "deq": "deqr"}, Wait: stim.WaitAll}
	all, err := lang.Read(fstest.MapFS{"directed/kept.txt": {Data: []byte(text(b, items))}}, "directed")
	require.NoError(t, err)
	su := stim.Suite{Schema: b, Sources: []stim.Entry{stim.Directed(b, func() []stim.Case {
		return []stim.Case{{Name: all[0].Name, Write: all[0].Write}}
	})}}
	src, err := su.Open("directed", stim.Options{Seed: 1})
	require.NoError(t, err)
	defer src.Close()
	ep, ok := src.Next()
	require.True(t, ok)
	got := stim.Item{Words: make([]uint64, event.NewLayout(b).In.Words)}
	for i := range items {
		require.True(t, ep.NextItem(&got), "egress event %d", i)
		require.Equal(t, items[i], item{got.Lane, got.Wait, got.Gap, got.Words}, "egress event %d", i)
	}
	require.False(t, ep.NextItem(&got))
}
