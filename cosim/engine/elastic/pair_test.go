package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// meeting is a device that adds what comes on give before it answers a take of the same cycle. It is ready for
// takes in one cycle of slow.
type meeting struct {
	l           *event.Layout
	slow, cycle int
	have        uint64
	wrong       uint64 // number of the answer that is off by one
	given       uint64
	answer      []uint64
}

func meetingBlock(t *testing.T) *event.Block {
	b, err := event.Parse([]byte(`
block: meeting
title: what is there when it is asked for
streams:
  - {name: take, dir: in, fields: [{name: id, width: 8}]}
  - {name: give, dir: in, fields: [{name: n, width: 8}]}
  - {name: rsp, dir: out, fields: [{name: have, width: 8}]}
`))
	require.NoError(t, err)
	return b
}

func (d *meeting) Restart(uint32) error {
	d.cycle, d.have, d.answer, d.given = 0, 0, nil, 0
	return nil
}

func (d *meeting) StepUntil(in, out []uint64, watch uint64) (int, error) {
	for n := range out {
		in := in[min(n, len(in)-1):]
		clear(out[n : n+1])
		d.cycle++
		if in[0]&d.l.In.Control("rst_n") == 0 {
			d.have, d.answer = 0, nil
			continue
		}
		if len(d.answer) > 0 {
			out[n] |= d.l.Out.Control("rsp_valid")
			d.l.Out.Slot("rsp", "have").Set(out[n:n+1], d.answer[0])
			d.answer = d.answer[1:]
		}
		out[n] |= d.l.Out.Control("give_ready")
		if in[0]&d.l.In.Control("give_valid") != 0 {
			d.have += d.l.In.Slot("give", "n").Get(in[:1])
		}
		if d.cycle%d.slow == 0 {
			out[n] |= d.l.Out.Control("take_ready")
			if in[0]&d.l.In.Control("take_valid") != 0 {
				d.given++
				d.answer = append(d.answer, d.have)
				if d.given == d.wrong {
					d.answer[len(d.answer)-1]++
				}
			}
		}
		if out[n]&watch != 0 {
			return n + 1, nil
		}
	}
	return len(out), nil
}

func (*meeting) End() error { return nil }

func (d *meeting) Step(in, out []uint64) error {
	for i := range in {
		if _, err := d.StepUntil(in[i:i+1], out[i:i+1], 0); err != nil {
			return err
		}
	}
	return nil
}

// Transfers of one cycle meet in one cycle of the second device, those of two cycles do not, and what that refuses
// of a pair is offered again, alone.
func TestPeerKeepsPairs(t *testing.T) {
	b := meetingBlock(t)
	l := event.NewLayout(b)
	for slow, want := range map[int][]uint64{1: {5, 5, 12, 12}, 3: {5, 5, 12, 12}} {
		d := &meeting{l: l, slow: slow}
		p := NewPeer(t.Context(), d, DefaultSpec(b))
		require.NoError(t, p.Restart(1))
		require.NoError(t, p.Reset())
		take := func(pair bool) {
			require.NoError(t, p.Accept(0, pair, make([]uint64, 1)))
		}
		give := func(pair bool, n uint64) {
			w := make([]uint64, 1)
			l.In.Slot("give", "n").Set(w, n)
			require.NoError(t, p.Accept(1, pair, w))
		}
		take(false)
		give(true, 5)
		take(false)
		give(false, 7)
		take(false)
		take(false)
		var got []uint64
		for {
			w, ok, err := p.Next(0)
			require.NoError(t, err)
			if !ok {
				break
			}
			got = append(got, l.Out.Slot("rsp", "have").Get(w))
		}
		require.Equal(t, want, got, "slow %d", slow)
		require.EqualValues(t, 12, d.have, "each event once")
	}
}

// A device whose answers depend on which events meet in a cycle agrees with itself.
func TestMeetingAgreesWithItself(t *testing.T) {
	b := meetingBlock(t)
	l := event.NewLayout(b)
	items := make([]stim.Item, 400)
	for i := range items {
		items[i] = stim.Item{Lane: i % 2, Gap: uint16(i % 5 % 3), Pair: i%4 == 1, Words: make([]uint64, 1)}
		if i%2 == 1 {
			l.In.Slot("give", "n").Set(items[i].Words, uint64(i%7))
		}
	}
	for _, slow := range []int{1, 3} {
		ep := stim.Recorded("test/0", b.Name, 1, stim.DriveSpec{Resets: []stim.Reset{{Low: 2}}}, items)
		dev := &meeting{l: l, slow: slow}
		out, err := Play(t.Context(), dev, NewPeer(t.Context(), &meeting{l: l, slow: 1}, DefaultSpec(b)), ep, DefaultSpec(b))
		require.NoError(t, err)
		require.Nil(t, out.Finding, "slow %d: %+v", slow, out.Finding)
		require.EqualValues(t, 200, out.Responses)
	}
}
