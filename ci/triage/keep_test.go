package triage_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// events returns a saved case of a block with one event of zeros, and with some keys replaced.
func events(t *testing.T, b *event.Block, set map[string]any) json.RawMessage {
	t.Helper()
	params := map[string]int{}
	for _, p := range b.Params {
		params[p.Name] = p.Default
	}
	doc := map[string]any{"block": b.Name, "schema_hash": b.Hash(), "params": params,
		"drive": map[string]any{"Resets": []any{map[string]int{"Low": 2}}},
		"items": []any{map[string]any{"lane": 0, "words": make([]uint64, event.NewLayout(b).In.Words)}}}
	for k, v := range set {
		doc[k] = v
	}
	text, err := json.Marshal(doc)
	require.NoError(t, err)
	return text
}

func bucketOf(b *event.Block, text json.RawMessage) *triage.Bucket {
	return &triage.Bucket{Name: "bucket", Key: campaign.Key{Block: b.Name, Field: "rsp_rtt"}, Seed: 1, Revision: "0123",
		Case: text, Run: plan.Run{Block: b.Name, Seconds: 60, MemoryMB: 4096, Args: []string{"cosim", "--block", b.Name,
			"--param", "Depth=64", "--source", "random", "--seed", "1", "--events", "10", "--json", plan.JSON}}}
}

// A case is kept if it plays and shows what its events show. Otherwise the cases are left unchanged.
func TestKeep(t *testing.T) {
	b := txstate.Schema()
	dir := filepath.Join("vectors", "stim", "txstate", "directed")
	kept := filepath.Join(dir, "kept.txt")
	for _, x := range []struct {
		design  string
		outcome campaign.Outcome
		want    string
	}{
		{"bad", campaign.Failed, ""},
		{"good", campaign.Passed, ""},
		{"timing", "", "case ack/late passes, and its events fail when they are replayed"},
		{"breaks", "", "case ack/late does not play: exit code 2"},
		{"no build", "", "does not build"},
	} {
		t.Run(x.design, func(t *testing.T) {
			s := newScratch(t)
			s.write(filepath.Join(dir, "a.txt"), "case ack/early\nACK psn=1\n")
			s.commit(x.design)
			for _, before := range []string{"", "# of before\ncase ack/old\nACK psn=1\n"} {
				path := filepath.Join(s.root, kept)
				if before != "" {
					s.write(kept, before)
				}
				k, err := triage.Keep(t.Context(), s.root, b, bucketOf(b, events(t, b, nil)), "ack/late")
				after, _ := os.ReadFile(path)
				if x.want != "" {
					require.ErrorContains(t, err, x.want)
					require.Equal(t, before, string(after))
					continue
				}
				require.NoError(t, err)
				require.Equal(t, x.outcome, k.Outcome)
				require.Equal(t, kept, k.File)
				require.Equal(t, "goldwire cosim --block txstate --param Depth=64 --source directed/ack/late --seed 1",
					k.Command)
				require.Contains(t, string(after), before)
				require.Contains(t, string(after), "# Block txstate, seed 1, field rsp_rtt, revision 0123: bucket bucket\n"+
					"case ack/late fails in rsp_rtt with seed 1\n")
				_, err = triage.Keep(t.Context(), s.root, b, bucketOf(b, events(t, b, nil)), "ack/late")
				require.ErrorContains(t, err, "has one of that name in kept.txt")
			}
		})
	}
}

// Events that cannot be a case are refused before anything is written.
func TestKeepRefuses(t *testing.T) {
	b := txstate.Schema()
	root := t.TempDir()
	for _, name := range []string{"txstate", "trimmer"} {
		dir := filepath.Join(root, "vectors", "stim", name, "directed")
		require.NoError(t, os.MkdirAll(dir, 0o777))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.txt"), []byte("case ack/early\n"), 0o666))
	}
	two := []any{map[string]int{}, map[string]int{}}
	for _, x := range []struct {
		block *event.Block
		text  json.RawMessage
		name  string
		want  string
	}{
		{b, events(t, b, nil), "late", "give a name GROUP/NAME"},
		{b, events(t, b, nil), "ack/../late", "give a name GROUP/NAME"},
		{b, events(t, b, nil), "ack/early", "has one of that name in a.txt"},
		{b, nil, "ack/late", "has no shortest events"},
		{b, json.RawMessage(`[]`), "ack/late", "shortest events: json"},
		{b, events(t, b, map[string]any{"items": []any{}}), "ack/late", "there are none"},
		{b, events(t, b, map[string]any{"schema_hash": "x"}), "ack/late", "run the campaign again"},
		{b, events(t, b, map[string]any{"drive": map[string]any{"Resets": two}}), "ack/late", "need a reset in their midst"},
		{b, events(t, b, map[string]any{"items": []any{map[string]any{"lane": 3}}}), "ack/late", "fits no input stream"},
		{trimmer.Schema(), events(t, trimmer.Schema(), nil), "ack/late", "have packets: they have no form as text"},
	} {
		_, err := triage.Keep(t.Context(), root, x.block, bucketOf(x.block, x.text), x.name)
		require.ErrorContains(t, err, x.want)
	}
	files, err := filepath.Glob(filepath.Join(root, "vectors", "stim", "*", "directed", "*"))
	require.NoError(t, err)
	require.Len(t, files, 2)
}
