package gen

import (
	"embed"
	"math/big"
	"sync"

	"github.com/goldwire/goldwire/vectors/event/txstate"
)

//go:embed directed/txstate/*.txt
var txFiles embed.FS

var txDialect = Dialect{
	Block:  txstate.Schema(),
	Global: func(_ string, fields map[string]*big.Int) bool { return fields["pdc"] != nil },
}

var txText = sync.OnceValue(func() []dcase {
	cases, err := txDialect.Load(txFiles, "directed/txstate")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return cases
})

// txCases returns the directed cases of txstate.
func txCases() []scriptCase {
	out := Cases(&txDialect, txText(), placeTx)
	out = append(out, timingCases(txstate.Schema(), newTxKeyed)...)
	return append(out, resetCases(txstate.Schema(), newTxKeyed)...)
}

// placeTx lays a case out: side by side over several connections, then once more over a single one.
func placeTx(c *dcase, params map[string]int) []placed {
	n := params["NumPdcs"]
	return append(placeRows(c, n, min(copies, n)), placeRows(c, n, 1)...)
}

func placeRows(c *dcase, pdcs, k int) (out []placed) {
	put := func(ev txstate.Event, p placed) {
		p.words = make([]uint64, txstate.EventWords)
		txstate.PackEvent(&ev, p.words)
		out = append(out, p)
	}
	put(txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: 7}, placed{})
	used := map[uint32]bool{}
	var psns []uint32
	for _, st := range c.steps {
		var ev txstate.Event
		txstate.UnpackEvent(st.words, &ev)
		if !used[ev.PSN] && !st.global {
			used[ev.PSN] = true
			psns = append(psns, ev.PSN)
		}
	}
	pdc := func(i int) uint16 { return uint16(i * (pdcs - 1) / max(k-1, 1)) }
	// Every row starts empty, whatever the case before left in it.
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindLoad, PDC: pdc(i), PSN: psn}, placed{})
		}
	}
	for _, st := range c.steps {
		if st.global {
			out = append(out, placed{words: st.words, want: st.want, at: st.at()})
			continue
		}
		for i := range k {
			var ev txstate.Event
			txstate.UnpackEvent(st.words, &ev)
			ev.PDC = pdc(i)
			put(ev, placed{want: st.want, at: st.at()})
		}
	}
	for _, psn := range psns {
		for i := range k {
			put(txstate.Event{Kind: txstate.KindRead, PDC: pdc(i), PSN: psn}, placed{})
		}
	}
	return out
}
