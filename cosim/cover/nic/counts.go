package nic

import (
	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// counter is a counter of the writer since its last LOAD.
type counter struct {
	base        uint32
	from        uint32 // packets begun, or notes of packets taken, when it was loaded
	at          int64  // when that was
	none, other int    // unaddressed: notes since of which it is known that they count, and that they do not
	loaded      bool
}

// reading is what a counter held.
type reading struct {
	at    int64 // 0: none
	value uint32
}

// Cycles without a transfer after which a NIC is emptied, and those that must follow: a timer can have a packet made.
const calmBefore, calmAfter = 512, 64

// drained compares the counters that were read while the NIC was emptied with what has left since the reset.
func (w *watch) drained(hits cover.Hits, in, out []uint64) {
	asks := w.cmd.Target == nic.TargetWindow || w.cmd.Target == nic.TargetTimes ||
		w.cmd.Kind != read && w.cmd.Kind != cfgRead
	if in[0]&nic.InRxValid != 0 || out[0]&(nic.OutTxValid|nic.OutIndValid|nic.OutNoteValid) != 0 ||
		w.Moved(cmdStream) && asks {
		w.busy, w.reads = w.now, [2]reading{}
		return
	}
	for k := range w.reads {
		r := &w.reads[k]
		if r.at == 0 || w.now < r.at+calmAfter {
			continue
		}
		r.at = 0
		hits[w.fact.Emptied]++
		if want := [2]uint32{w.packetNotes - w.begun, w.begun}[k]; r.value != want {
			w.Differ("counter %d of a NIC that is emptied is %d, and since the reset it counts %d", nic.WordUnaddressed+k,
				r.value, want)
		}
		if len(w.answers) != len(w.inds) {
			w.Differ("a NIC is emptied, and of its answers and inds %d and %d are alone", len(w.answers), len(w.inds))
		}
	}
}

// counted compares a counter of the writer with the packets that begin to leave at tx, and with the notes of packets:
// what was begun has left, is at tx or is among the beats made, and what was settled has a note or waits for one.
func (w *watch) counted(hits cover.Hits, x *asked) {
	if x.Addr < nic.WordUnaddressed || x.Kind > read {
		return
	}
	k := x.Addr - nic.WordUnaddressed
	c := &w.counters[k]
	now := [2]uint32{w.packetNotes, w.begun}[k]
	if x.Kind == load {
		*c = counter{base: uint32(x.Cmd.Data), from: now, at: w.now, loaded: true}
		return
	}
	const slack = nic.Feed + nic.Write + nic.Packets + nic.Notes + nic.Order
	if !c.loaded && w.now > w.busy+calmBefore {
		w.reads[k] = reading{w.now, uint32(w.rsp.Data)}
	}
	got, most := int64(uint32(w.rsp.Data)-c.base), int64(now-c.from)
	least := int64(c.none)
	if k == 1 {
		least = most - slack
	}
	if most += slack - int64(c.other); got > most || got < least {
		w.Differ("counter %d is %d, loaded with %d, and counts %d to %d since", x.Addr, uint32(w.rsp.Data), c.base,
			max(least, 0), most)
	}
	hits.If(got > 0 && uint32(w.rsp.Data) < c.base, w.fact.CounterWrapped)
}
