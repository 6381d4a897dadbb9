package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// beats answers an event with a packet of three beats of 16 bytes, the first of which count the event and beat.
// From the reset with that number on, one beat is wrong.
type beats struct {
	l             *event.Layout
	left, packets int
	resets        int
	low           bool
	wrong         int // reset
}

func (m *beats) Reset()               { m.left = 0 }
func (m *beats) Restart(uint32) error { return nil }
func (m *beats) Cycle(in, out []uint64) {
	clear(out)
	if in[0]&m.l.In.Control("rst_n") == 0 {
		if !m.low {
			m.resets++
		}
		m.low, m.left, m.packets = true, 0, 0
		return
	}
	m.low = false
	if m.left == 0 {
		out[0] |= m.l.Out.Control("ev_ready")
		if in[0]&m.l.In.Control("ev_valid") != 0 {
			m.left = 3
		}
		return
	}
	data := m.l.Out.Slot("rsp", "data")
	out[0] |= m.l.Out.Control("rsp_valid")
	out[data.Word] = uint64(m.packets)<<8 | uint64(3-m.left)
	if m.left == 1 {
		m.l.Out.Slot("rsp", "last").Set(out, 1)
	}
	if m.wrong > 0 && m.resets == m.wrong && m.packets == 2 && m.left == 1 {
		out[data.Word+1] = 1
	}
	if in[0]&m.l.In.Control("rsp_ready") != 0 {
		if m.left--; m.left == 0 {
			m.packets++
		}
	}
}

func (m *beats) Step(in, out []uint64) error {
	iw, ow := m.l.In.Words, m.l.Out.Words
	for i := range len(in) / iw {
		m.Cycle(in[i*iw:(i+1)*iw], out[i*ow:(i+1)*ow])
	}
	return nil
}

func (m *beats) StepUntil(in, out []uint64, watch uint64) (int, error) {
	iw, ow := m.l.In.Words, m.l.Out.Words
	for i := range len(out) / ow {
		k := min(i, len(in)/iw-1)
		o := out[i*ow : (i+1)*ow]
		if m.Cycle(in[k*iw:(k+1)*iw], o); o[0]&watch != 0 {
			return i + 1, nil
		}
	}
	return len(out) / ow, nil
}

func (*beats) End() error { return nil }

// A finding in a packet has what left of it before, counted from the reset, however the two are compared.
func TestFindingHasThePacket(t *testing.T) {
	b, err := event.Parse([]byte(`
block: beats
title: three beats for one
doc: a packet for each event
streams:
  - {name: ev, dir: in, doc: numbers, fields: [{name: x, width: 8, doc: number}]}
  - {name: rsp, dir: out, doc: packets, fields: [{name: data, width: 128, doc: bytes},
      {name: keep, width: 16, doc: valid}, {name: last, width: 1, doc: of a packet}]}
`))
	require.NoError(t, err)
	l, s := event.NewLayout(b), DefaultSpec(b)
	drive := stim.DriveSpec{Resets: []stim.Reset{{Low: 2}, {After: 5, Low: 2}}, Stall: stim.Density(50)}
	items := make([]stim.Item, 20)
	for i := range items {
		items[i].Words = make([]uint64, l.In.Words)
	}
	for wrong := 1; wrong <= 2; wrong++ {
		for name, play := range map[string]func(ep *stim.Episode) (Outcome, error){
			"answers": func(ep *stim.Episode) (Outcome, error) {
				return Play(t.Context(), &beats{l: l, wrong: wrong}, NewModel(b, &beats{l: l}), ep, s)
			},
			"cycles": func(ep *stim.Episode) (Outcome, error) {
				return PlayExact(t.Context(), &beats{l: l, wrong: wrong}, &beats{l: l}, ep, s)
			},
		} {
			out, err := play(stim.Recorded("test/0", "beats", 1, drive, items))
			require.NoError(t, err)
			require.NotNil(t, out.Finding, "%s %d", name, wrong)
			require.Len(t, out.Finding.Frames, 1)
			f := out.Finding.Frames[0]
			require.Equal(t, []int{2, 2}, []int{f.Beats, f.Before}, "%s %d", name, wrong)
			require.Equal(t, append(append([]byte{0, 2}, make([]byte, 14)...), append([]byte{1, 2}, make([]byte, 14)...)...),
				f.Bytes)
		}
	}
}
