package replay

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc/htsim"
)

// generate writes a trace of three flows by the integer rules. Each flow lives
// through phases (idle network, building queue, collapse, losses), so that every
// action occurs and time moves on between them.
func generate(t *testing.T, cfg Config, seed uint64, rows int) string {
	t.Helper()
	p, err := cfg.params()
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 0))
	var b strings.Builder
	b.WriteString(strings.Join(header[:], ",") + "\n")
	var flows [3]*htsim.IntState
	for i := range flows {
		flows[i] = htsim.NewIntState(&p)
	}
	now := p.NetworkRTT
	for n := range rows {
		f := rng.IntN(len(flows))
		now += rng.Int64N(p.NetworkRTT / 5)
		e := draw(rng, &p, n*8/rows%4, now)
		o := flows[f].Step(&p, &e)
		writeRow(&b, n, f, &e, &o)
	}
	return b.String()
}

func draw(rng *rand.Rand, p *htsim.Params, phase int, now int64) htsim.Event {
	e := htsim.Event{Kind: htsim.ACK, Time: now, RTT: htsim.DataSample, InFlight: 40000 + rng.Int64N(60000),
		Newly: (1 + rng.Int64N(4)) * p.MTU}
	queue := func(lo, hi int64) { e.RawRTT = p.NetworkRTT + lo + rng.Int64N(hi-lo) }
	switch phase {
	case 0: // idle: fast increase
		queue(0, p.FastDelay)
		if rng.IntN(12) == 0 {
			e.RTT, e.RawRTT, e.IsRTS = htsim.Sample(rng.IntN(3)), p.NetworkRTT-rng.Int64N(50000), rng.IntN(2) == 0
		}
		e.Newly *= 8
	case 1: // a queue builds, drains, and is marked
		queue(0, 3*p.Target)
		e.ECN = e.RawRTT > p.NetworkRTT+p.Target && rng.IntN(3) > 0 || rng.IntN(6) == 0
	case 2: // collapse: trims, long delays, little achieved
		queue(2*p.Target, 5*p.Target)
		e.ECN = rng.IntN(8) > 0
		e.Newly = rng.Int64N(p.MTU / 4)
		if rng.IntN(4) == 0 {
			e = htsim.Event{Kind: htsim.NACK, Time: now, RTT: htsim.DataSample, RawRTT: e.RawRTT, Lost: p.MTU,
				InFlight: e.InFlight}
		}
	default: // losses and recovery
		queue(0, 2*p.Target)
		e.ECN = rng.IntN(3) == 0
		if rng.IntN(10) == 0 {
			e = htsim.Event{Kind: htsim.RTO, Time: now, Lost: p.MTU, InFlight: e.InFlight}
		}
	}
	return e
}

// writeRow fills the columns that describe the packet with 0, but for in_flight_before.
func writeRow(b *strings.Builder, n, f int, e *htsim.Event, o *htsim.Outcome[int64]) {
	cells := make([]string, len(header))
	for i := range cells {
		cells[i] = "0"
	}
	set := func(col int, v any) { cells[col] = fmt.Sprint(v) }
	set(colN, n)
	set(colFlow, f+1)
	set(colTime, e.Time)
	set(colKind, e.Kind)
	set(colRTTValid, int(e.RTT))
	set(colRawRTT, e.RawRTT)
	set(colECN, bit[int64](e.ECN))
	set(colIsRTS, bit[int64](e.IsRTS))
	set(colNewly, e.Newly)
	set(colLost, e.Lost)
	set(colInFlight, e.InFlight)
	set(23, e.InFlight+e.Newly)
	set(colAction, o.Action)
	for i, v := range outputs(o) {
		set(checked[i], v)
	}
	b.WriteString(strings.Join(cells, ",") + "\n")
}
