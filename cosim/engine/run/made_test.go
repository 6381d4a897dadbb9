package run

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/engine/watch"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/nic"
)

// misnotes is a model of the NIC in which one packet is not that of its note.
type misnotes struct {
	event.Model
	note  func(x *nic.Note)
	first func(pds []byte) // bytes of the first beat from the PDS header on
	at    int              // number of the packet or note that is changed
	seen  int
	in    bool // within a packet
}

func (m *misnotes) Cycle(in, out []uint64) {
	m.Model.Cycle(in, out)
	if m.note != nil && out[0]&nic.OutNoteValid != 0 {
		var x nic.Note
		if nic.UnpackNote(out, &x); x.Kind != nic.ActSent {
			return
		}
		if m.seen == m.at {
			m.note(&x)
			nic.PackNote(&x, out)
		}
		if in[0]&nic.InNoteReady != 0 {
			m.seen++
		}
	}
	if m.note == nil && out[0]&nic.OutTxValid != 0 {
		m.packet(in, out)
	}
}

// packet changes a beat at tx.
func (m *misnotes) packet(in, out []uint64) {
	var x nic.Tx
	nic.UnpackTx(out, &x)
	if x.Answer {
		return
	}
	if pds := pdsOf(&x); !m.in && m.seen == m.at && m.first != nil && pds > 0 {
		var b [64]byte
		for i := range b {
			b[i] = byte(x.Data[i/8] >> (8 * (i % 8)))
		}
		m.first(b[pds:])
		clear(x.Data[:])
		for i := range b {
			x.Data[i/8] |= uint64(b[i]) << (8 * (i % 8))
		}
		nic.PackTx(&x, out)
	}
	if in[0]&nic.InTxReady != 0 {
		if !m.in && pdsOf(&x) > 0 {
			m.seen++
		}
		m.in = !x.Last
	}
}

// pdsOf returns where the PDS header is in the first beat of a packet over UDP without tags, 0 for another packet.
func pdsOf(x *nic.Tx) int {
	at := func(i int) byte { return byte(x.Data[i/8] >> (8 * (i % 8))) }
	if at(12) != 8 || at(13) != 0 || at(14) != 0x45 || at(23) != 17 {
		return 0
	}
	return 42
}

// A packet that is not that of its note ends the run: the decoder finds what it reads, and the coverage follower every
// byte.
func TestPacketsAreThoseOfTheirNotes(t *testing.T) {
	t.Parallel()
	const unlike = "is not that of its note"
	for _, source := range []string{"directed/order", "random", "fabric:incast32"} {
		for _, c := range []struct {
			name  string
			plant *misnotes
			wire  string // from the judge of packets
			cover string // from the coverage follower
		}{
			{"nothing", &misnotes{at: 1 << 30}, "", ""},
			{"psn of the note", &misnotes{at: 3, note: func(x *nic.Note) { x.PSN ^= 1 }}, "PSN", unlike},
			{"ar of the note", &misnotes{at: 3, note: func(x *nic.Note) { x.Ar = !x.Ar }}, "ar", "note"},
			{"syn of the packet", &misnotes{at: 3, first: func(b []byte) { b[1] ^= 4 }}, "syn|dpdcid", unlike},
			{"ar of the packet", &misnotes{at: 3, first: func(b []byte) { b[1] ^= 8 }}, "ar", unlike},
			{"PDCID of the packet", &misnotes{at: 3, first: func(b []byte) { b[9] ^= 2 }}, "(?i)spdcid", unlike},
			{"clear_psn", &misnotes{at: 3, first: func(b []byte) { b[3] ^= 1 }}, "clear_psn", unlike},
			{"a byte of the payload", &misnotes{at: 3, first: func(b []byte) { b[17] ^= 1 }}, "payload", unlike},
		} {
			t.Run(source+"/"+c.name, func(t *testing.T) {
				run, err := newEngine(t.Context(), Config{Root: "../../..", Block: "nic", Source: source, Events: 4000, Seed: 2,
					ModelOnly: true})
				require.NoError(t, err)
				e := run.way.(*lockstep)
				require.NoError(t, e.fresh())
				c.plant.Model = e.play.Model
				e.play.Model = c.plant
				_, err = e.from(t.Context(), 0)
				require.NoError(t, err)
				require.Equal(t, c.plant.note != nil || c.plant.first != nil, c.plant.seen > c.plant.at, "planted")
				require.NoError(t, e.watch.Check())
				for by, want := range map[string]string{watch.ByPackets: c.wire, watch.ByCoverage: c.cover} {
					all := e.watch.Findings()
					i := slices.IndexFunc(all, func(f *watch.Finding) bool { return f.By == by })
					if want == "" {
						require.Negative(t, i)
						continue
					}
					require.GreaterOrEqual(t, i, 0, "%s found nothing", by)
					require.Regexp(t, want, all[i].Text)
				}
			})
		}
	}
}
