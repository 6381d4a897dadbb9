package txstate

import (
	"embed"
	"math/big"

	"github.com/goldwire/goldwire/vectors/event/txstate"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/timing"
)

//go:embed directed/*.txt
var files embed.FS

var dialect = casefile.Dialect{
	Block:  txstate.Schema(),
	Global: func(_ string, fields map[string]*big.Int) bool { return fields["pdc"] != nil },
}

var text = casefile.Embedded(files, dialect.Load)

// cases returns the directed cases of txstate.
func cases() []stim.Case {
	out := casefile.Cases(&dialect, text(), place)
	out = append(out, timing.Ports(txstate.Schema(), newKeyed)...)
	return append(out, timing.Resets(txstate.Schema(), newKeyed)...)
}

// place lays a case out: side by side over several connections, then once more over a single one.
func place(c *casefile.Case, params map[string]int) []casefile.Placed {
	n := params["NumPdcs"]
	return append(placeRows(c, n, min(casefile.Copies, n)), placeRows(c, n, 1)...)
}

func placeRows(c *casefile.Case, pdcs, k int) (out []casefile.Placed) {
	put := func(ev txstate.Event, p casefile.Placed) {
		p.Words = make([]uint64, txstate.EventWords)
		txstate.PackEvent(&ev, p.Words)
		out = append(out, p)
	}
	put(txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: 7}, casefile.Placed{})
	used := map[uint32]bool{}
	var psns []uint32
	for _, st := range c.Steps {
		var ev txstate.Event
		txstate.UnpackEvent(st.Words, &ev)
		if !used[ev.PSN] && !st.Global {
			used[ev.PSN] = true
			psns = append(psns, ev.PSN)
		}
	}
	pdc := func(i int) uint16 { return uint16(i * (pdcs - 1) / max(k-1, 1)) }
	// Every row starts empty, whatever an earlier case left in it.
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindLoad, PDC: pdc(i), PSN: psn}, casefile.Placed{})
		}
	}
	for _, st := range c.Steps {
		if st.Global {
			out = append(out, casefile.Placed{Words: st.Words, Want: st.Want, At: st.At})
			continue
		}
		for i := range k {
			var ev txstate.Event
			txstate.UnpackEvent(st.Words, &ev)
			ev.PDC = pdc(i)
			put(ev, casefile.Placed{Want: st.Want, At: st.At})
		}
	}
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindRead, PDC: pdc(i), PSN: psn}, casefile.Placed{})
		}
	}
	return out
}
