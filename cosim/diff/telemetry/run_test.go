package telemetry

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/diff"
	"github.com/goldwire/goldwire/vectors/event/intmd"
)

// sources are all whole sources of intmd.
func sources() (out []string) {
	for _, s := range block.Sources(intmd.BlockName) {
		if !strings.Contains(s, "/") {
			out = append(out, s)
		}
	}
	return out
}

func TestRun(t *testing.T) {
	for _, source := range sources() {
		start := time.Now()
		res, err := Run(t.Context(), Spec{Source: source, Seed: 1, Events: 20_000, Modes: diff.Modes, Flips: 5})
		require.NoError(t, err)
		require.Empty(t, res.Parted)
		text, _ := json.MarshalIndent(res, "", " ")
		os.WriteFile("/tmp/intq-"+strings.ReplaceAll(source, ":", "-")+".json", text, 0o644)
		t.Log(source, time.Since(start), res.Packets, res.Entries, res.Acks, res.First, res.Late, res.Turned, res.NoRate, res.Beyond, res.Examples)
	}
}
