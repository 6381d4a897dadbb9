package switchport

import (
	"testing"

	"github.com/stretchr/testify/require"

	pe "github.com/goldwire/goldwire/vectors/event/egress"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
)

// While notes are held back the reader sends only packets whose verdict is taken, even though every slot was judged for
// an earlier packet. New packets arrive meanwhile, and every note and answer carries the handle of its packet.
func TestReaderWaitsForVerdict(t *testing.T) {
	b := newBench(t, Spec{NumPorts: 2, Depth: 16, Slots: 8})
	var notes, answers []uint32
	id := uint32(0)
	step := func(send, grant bool, ctl uint64) {
		var rx *port.Rx
		if send {
			rx = &packet(10+int(id), header{id: id})[0]
		}
		var g *port.Grant
		if grant {
			g = &port.Grant{}
		}
		b.cycle(rx, g, nil, ctl)
		if send && b.seen.rxReady {
			id++
		}
		if b.seen.noteValid && ctl&port.InNoteReady != 0 {
			notes = append(notes, b.seen.note.Id)
		}
		if b.seen.grValid && !b.seen.gr.Empty {
			answers = append(answers, b.seen.gr.Id)
		}
	}
	for range 8 { // every slot is used and judged once
		step(true, false, takes)
	}
	for range 60 {
		step(false, true, takes)
	}
	require.Len(t, answers, 8)
	require.Zero(t, b.m.SlotsInUse())
	for c := range 400 {
		step(id < 40, true, takes&^port.InNoteReady)
		if c > 60 {
			require.Len(t, answers, 8+port.Notes, "cycle %d", c)
			require.Equal(t, 8, b.m.SlotsInUse(), "the slots of the four that left went to new packets")
		}
	}
	for c := 0; len(answers) < 40; c++ {
		require.Less(t, c, 2000)
		ctl := uint64(takes)
		if c%5 > 0 {
			ctl &^= port.InNoteReady
		}
		step(id < 40, true, ctl)
	}
	for range 100 {
		step(false, true, takes)
	}
	want := make([]uint32, 40)
	for i := range want {
		want[i] = uint32(i)
	}
	require.Equal(t, want, notes)
	require.Equal(t, want, answers)
	require.Zero(t, b.m.SlotsInUse())
}

// A response of egress that waits at cfgr holds back the verdict after it, and so the packet, cycle for cycle. A grant
// that sends nothing does not wait for a verdict.
func TestReaderWaitsBehindCfgr(t *testing.T) {
	b := newBench(t, DefaultSpec())
	const stuck = takes &^ port.InCfgrReady
	b.cycle(nil, nil, &port.Cfg{Target: port.TargetEgress, Kind: uint8(pe.KindRead)}, stuck)
	b.cycle(&packet(10, header{id: 5})[0], nil, nil, stuck)
	for range 10 {
		b.cycle(nil, nil, nil, stuck)
	}
	require.True(t, b.seen.cfgrValid)
	var empty []int
	for c := range 40 {
		var g *port.Grant
		if c == 0 || c == 1 { // port 1 is empty, which is answered; then the packet
			g = &port.Grant{Port: uint8(1 - c)}
		}
		b.cycle(nil, g, nil, stuck)
		require.False(t, b.seen.noteValid)
		if b.seen.grValid {
			require.True(t, b.seen.gr.Empty)
			empty = append(empty, c)
		}
	}
	require.Equal(t, []int{6}, empty)
	b.cycle(nil, nil, nil, takes)
	require.True(t, b.seen.cfgrValid)
	for c := 1; c <= 3; c++ {
		b.cycle(nil, nil, nil, takes)
		require.Equal(t, c == 2, b.seen.noteValid, "the verdict is taken a cycle behind the response")
		require.Equal(t, c == 3, b.seen.grValid, "the answer a cycle behind the verdict")
	}
	require.Equal(t, uint32(5), b.seen.gr.Id)
}
