package txpdc

import (
	"math"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	fabric "github.com/goldwire/goldwire/vectors/stim/fabric/txpdc"
)

// Suite lists the sources of txpdc.
var Suite = stim.Suite{Schema: txpdc.Schema(), Sources: append([]stim.Entry{
	stim.Directed(txpdc.Schema(), cases),
	stim.RandomScripts(txpdc.Schema(), func() func(s *stim.Script) {
		m := &mix{}
		return func(s *stim.Script) { m.write(on(s)) }
	}),
}, fabric.Sources...)}

// Input streams of txpdc.
const (
	laneCmd = iota
	laneRec
	laneView
	lanes
)

// outs is the number of output streams.
const outs = 2

// pdcWords is the number of words that each PDC has besides its rows.
const pdcWords = txpdc.WordSize

// script writes an episode of txpdc.
type script struct{ *stim.Script }

func on(s *stim.Script) *script { return &script{s} }

// pdcs returns the number of PDCs of the block.
func (s *script) pdcs() int { return txpdc.Slots * s.Params["Contexts"] }

// sweep returns the cycles of the sweep.
func (s *script) sweep() int { return s.pdcs() * txpdc.Window }

func (s *script) cmd(k txpdc.Kind, pdc, addr int, psn, data uint32) {
	txpdc.PackCmd(&txpdc.Cmd{Kind: k, PDC: uint16(pdc), Addr: uint8(addr), PSN: psn, Data: data}, s.Put(laneCmd, 0))
}

func (s *script) reg(addr int, data uint32) { s.cmd(txpdc.KindCfgWrite, 0, addr, 0, data) }

func (s *script) load(pdc, addr int, data uint32) { s.cmd(txpdc.KindLoad, pdc, addr, 0, data) }

// row writes the row of a PSN.
func (s *script) row(pdc int, psn, size, stamp uint32) {
	s.cmd(txpdc.KindLoad, pdc, txpdc.WordSize, psn, size)
	s.cmd(txpdc.KindLoad, pdc, txpdc.WordStamp, psn, stamp)
}

func (s *script) rec(x *txpdc.Rec) { txpdc.PackRec(x, s.Put(laneRec, 0)) }

func (s *script) view(x *txpdc.View) { txpdc.PackView(x, s.Put(laneView, 0)) }

// send is the view of a SEND; free whether the context may send again.
func (s *script) send(ctx int, free bool) {
	s.view(&txpdc.View{Kind: uint8(ccc.KindSend), Ctx: uint16(ctx), CanSend: free})
}

// after makes the last item wait until all before it are taken, and then for that many cycles, or as many as fit.
func (s *script) after(cycles int) {
	s.Items[s.Used-1].Wait = stim.WaitAll
	s.Gap(min(cycles, math.MaxUint16))
}

// reads reads the words of a PDC, of its context, and rows from una on.
func (s *script) reads(pdc int, una uint32, rows int) {
	for a := range pdcWords {
		s.cmd(txpdc.KindRead, pdc, a, 0, 0)
	}
	s.cmd(txpdc.KindRead, pdc, txpdc.WordCanSend, 0, 0)
	for i := range uint32(rows) {
		s.cmd(txpdc.KindRead, pdc, txpdc.WordSize, una+i, 0)
		s.cmd(txpdc.KindRead, pdc, txpdc.WordStamp, una+i, 0)
	}
}

// counted reads registers and counters once what came before is over.
func (s *script) counted() {
	for a := txpdc.WordSent; a < txpdc.NumWords; a++ {
		s.cmd(txpdc.KindRead, 0, a, 0, 0)
		if a == txpdc.WordSent {
			s.after(200)
		}
	}
	for a := range txpdc.NumRegs {
		s.cmd(txpdc.KindCfgRead, 0, a, 0, 0)
	}
}

// readBack reads everything, of many PDCs the first and the last.
func (s *script) readBack() {
	s.counted()
	n := s.pdcs()
	for k := 0; k < n; k++ {
		if k == 17 && n > 24 {
			k = n - 4
		}
		s.reads(k, uint32(k), 2)
	}
}
