package nic

import (
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// fabric returns the sources of a simulated network: what it has for the PDCs that send. Its answers of ccc are left
// out: the NIC has its own.
func (in Inside) fabric() (out []stim.Entry) {
	for _, e := range in.Txpdc.Sources {
		if !strings.HasPrefix(e.Name, stim.Fabric) {
			continue
		}
		open := e.Open
		e.Open = func(o *stim.Options, part string) (stim.Source, error) {
			inner := *o
			inner.Params = map[string]int{"Contexts": o.Params["Contexts"]}
			inner.Events *= 8 // most are views, which are left out
			src, err := open(&inner, part)
			if src == nil || err != nil {
				return nil, err
			}
			words := event.NewLayout(nic.Schema()).In.Words
			return &network{Source: src, s: on(stim.NewScript(words, o.Params)), o: o,
				words: make([]uint64, event.NewLayout(txpdc.Schema()).In.Words), left: o.Events}, nil
		}
		out = append(out, e)
	}
	return out
}

// network rewrites what comes from a simulated network item by item.
type network struct {
	stim.Source
	o     *stim.Options
	s     *script // what became of the last item
	at    int     // next of it
	left  int     // events of the run
	more  bool    // within a packet
	words []uint64
	ep    stim.Episode
}

func (n *network) Next() (*stim.Episode, bool) {
	if n.left == 0 {
		return nil, false // without the rest of the simulation
	}
	ep, ok := n.Source.Next()
	if !ok {
		return nil, false
	}
	n.ep = *ep
	n.ep.Block, n.ep.Len = nic.BlockName, 0
	n.s.Rand = stim.Seeded(n.o.Seed, nic.BlockName, ep.Name, 0)
	n.s.Used, n.at = 0, 0
	// Packets leave no later than in the simulation: its windows are not these.
	n.s.windowReg(0, ccc.RegMTU, 1<<14)
	n.s.windowReg(0, ccc.RegMaxWnd, 1<<30)
	for ctx := range min(n.s.contexts(), 64) {
		n.s.good(ctx, ctx%3, ctx%2 == 1, ctx%5 == 4, uint16(ctx)<<8)
		n.s.openWindow(ctx, 0)
	}
	n.s.writer(kindCfgWrite, 0, nic.RegSpray, 0xff)
	n.ep.Items = func(it *stim.Item) bool {
		if n.left == 0 && !n.more {
			return false
		}
		for n.at == n.s.Used {
			if n.s.Used, n.at = 0, 0; !n.item(ep) {
				return false
			}
		}
		words := it.Words
		*it = n.s.Items[n.at]
		it.Words = words
		copy(it.Words, n.s.Items[n.at].Words) // the storage is used again
		n.at++
		if !n.more {
			n.left--
		}
		n.more = it.More
		return true
	}
	return &n.ep, true
}

// item rewrites the next item.
func (n *network) item(ep *stim.Episode) bool {
	it := stim.Item{Words: n.words}
	if !ep.NextItem(&it) {
		return false
	}
	switch it.Lane {
	case 0:
		var x txpdc.Cmd
		txpdc.UnpackCmd(it.Words, &x)
		n.s.source(x.Kind, int(x.PDC), int(x.Addr), x.PSN, x.Data)
	case 1:
		var x txpdc.Rec
		txpdc.UnpackRec(it.Words, &x)
		n.s.record(frame.Good(0, x.Dpdcid%2 == 0, 0), &x, 0)
	default:
		return true
	}
	n.s.Items[0].Gap = it.Gap
	return true
}
