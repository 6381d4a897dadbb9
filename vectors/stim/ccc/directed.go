package ccc

import (
	"embed"
	"math/big"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
	"github.com/goldwire/goldwire/vectors/stim/timing"
)

//go:embed directed/*.txt
var files embed.FS

// slotWord is the state word that each slot has.
const slotWord = "last_rcvd"

// dialect is how the case files of ccc are read. Packets have transmit state, ACKs a service time of one unit and no
// new bytes, samples no queueing delay; delta, delay and raw stand for wire fields.
var dialect = casefile.Dialect{
	Block: ccc.Schema(),
	Preload: map[string]int64{
		"cwnd": 100000, "max_wnd": 225000, "inflight": 50000, "base_rtt": 12000, "backlog": 1000000,
		"inflight_pkts":    20,
		"last_adjust_time": casefile.Epoch, "last_dec_time": casefile.Epoch, "qa_valid": 1,
		"qa_endtime": casefile.Epoch + 10000, "ccc_state": 3, "credit": 50000, "last_pull": 1000,
	},
	Slot: slotWord, Slots: ccc.MaxNumPdcs,
	Shared: []string{"TIME_SHIFT"},
	Global: func(_ string, fields map[string]*big.Int) bool { return fields["ctx"] != nil },
	Begin:  fill,
}

var text = casefile.Embedded(files, dialect.Load)

// cases returns the directed cases of ccc.
func cases() []stim.Case {
	out := casefile.Cases(&dialect, text(), place)
	out = append(out, timing.Ports(ccc.Schema(), newKeyed)...)
	about := "CFG_READ waits for nobody"
	out = append(out, timing.Case("timing/free", about, ccc.Schema(), newKeyed, func(b *timing.Build) {
		pack := b.Keyed.(*keyed).pack
		b.Open(2)
		for i := range 12 {
			b.Work(0)
			pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: uint8(i)})
			pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: uint8(i + 1)})
			b.Work(1)
			if i%3 == 0 {
				b.Exclusive()
				pack(&ccc.Event{Kind: ccc.KindCfgRead, Addr: ccc.RegTargetQDelay})
			}
		}
		b.Read(2)
	}))
	return append(out, timing.Resets(ccc.Schema(), newKeyed)...)
}

// fill returns what completes the events of a case.
func fill(p *casefile.Parser) func(kind string, val map[string]*big.Int) {
	rcvd := map[string]*big.Int{} // last_rcvd by PDC, as deltas move it
	return func(kind string, val map[string]*big.Int) {
		def := func(name string, v *big.Int) {
			if _, ok := val[name]; !ok {
				val[name] = v
			}
		}
		def("now", big.NewInt(casefile.Epoch))
		if kind == "BIND" {
			def("pdc", new(big.Int))
			def("rcvd_bytes", new(big.Int))
			rcvd[val["pdc"].String()] = val["rcvd_bytes"]
		}
		if kind != "ACK" && kind != "NACK" {
			return
		}
		def("tx_valid", big.NewInt(1))
		service := new(big.Int)
		if kind == "ACK" {
			def("service_time", big.NewInt(1))
			service.Lsh(val["service_time"], uint(casefile.Bits(p.Registers["TIME_SHIFT"], 3)))
			pdc := "0"
			if v, ok := val["pdc"]; ok {
				pdc = v.String()
			}
			last, ok := rcvd[pdc]
			if !ok {
				last = p.State[slotWord+pdc]
			}
			if d, ok := val["delta"]; ok {
				units := new(big.Int).Rsh(d, 8)
				val["rcvd_bytes"] = new(big.Int).Add(last, units)
				if casefile.Bits(units, 24) < 1<<23 {
					rcvd[pdc] = val["rcvd_bytes"]
				}
				delete(val, "delta")
			}
			def("rcvd_bytes", last)
		}
		if d, ok := val["delay"]; ok {
			val["raw"] = new(big.Int).Add(d, p.State["base_rtt"])
			delete(val, "delay")
		}
		if _, ok := val["tx_time"]; !ok {
			def("raw", p.State["base_rtt"])
			tx := new(big.Int).Sub(val["now"], val["raw"])
			val["tx_time"] = tx.Sub(tx, service)
		}
		delete(val, "raw")
	}
}
