package credit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// draw returns an event that is likely to matter in the state of the block.
func draw(r *rand.Rand, p *plainPacer) port.Event {
	e := port.Event{
		Kind: []port.Kind{1, 2, 2, 3, 4, 5, 5, 5, 6, 7, 7, 7, 7, 7, 7, 8, 8, port.Kind(r.IntN(16))}[r.IntN(18)],
		Addr: uint8(r.IntN(11)), Sender: uint16(r.IntN(len(p.sender))), Data: r.Uint32(),
	}
	s := p.sender[e.Sender]
	switch r.IntN(40) {
	case 0:
		e.Sender = uint16(len(p.sender) + r.IntN(2))
	case 1:
		e.Sender, e.Addr = uint16(r.Uint32()), uint8(r.IntN(16))
	}
	above := e.Data &^ numbers // bits that do not belong to a number
	near := []int{0, 1, -1, r.IntN(300), r.IntN(20), -r.IntN(9), 1<<23 - 1, 1 << 23, 1<<23 + 1, int(e.Data)}[r.IntN(10)]
	switch e.Kind {
	case port.KindOpen:
		e.Data = above | uint32(r.IntN(40)-20)&numbers
	case port.KindTarget:
		from := []int{s.target, s.target, s.target, s.granted}[r.IntN(4)]
		e.Data = above | uint32(from+near)&numbers
	case port.KindLoad:
		if r.IntN(2) == 0 {
			e.Addr = uint8(1 + r.IntN(2))
			e.Data = above | uint32([]int{s.target, s.granted}[r.IntN(2)]+near)&numbers
		} else if r.IntN(2) == 0 {
			e.Data = -uint32(r.IntN(3))
		}
	case port.KindCfgWrite:
		e.Addr = uint8(r.IntN(4))
		e.Data = []uint32{uint32(r.IntN(10)), uint32(r.IntN(3 << 16)), uint32(r.IntN(60)), e.Data}[e.Addr]
		if r.IntN(9) == 0 {
			e.Data = r.Uint32() << (8 * r.IntN(4))
		}
	}
	return e
}

// same compares the states of both, and holds the lists of the model against its flags.
func same(t *testing.T, want *plainPacer, got *Pacer, where string) {
	for addr, name := range plainCounters {
		if uint32(want.counter[name]) != got.counters[addr] {
			require.Equal(t, want.counter[name], int(got.counters[addr]), "%s: counter %s", where, name)
		}
	}
	listed := make([][2]int, len(want.sender))
	for i, l := range []*list{&got.active, &got.idle} {
		slow := [][]int{want.active, want.idle}[i]
		if len(slow) != l.Len() {
			require.Equal(t, len(slow), l.Len(), "%s: list %d", where, i)
		}
		for _, k := range slow {
			s := l.leave() // and, as it is the last then, the list is the same in the end
			l.add(s)
			listed[s][i]++
			if k != int(s) {
				require.Equal(t, k, int(s), "%s: list %d", where, i)
			}
		}
	}
	for k := range want.sender {
		x, s := &want.sender[k], got.senders.Row(k)
		if *s != (sender{x.open, x.active, x.idle, uint32(x.target), uint32(x.granted)}) {
			require.Equal(t, fmt.Sprint(*x), fmt.Sprint(*s), "%s: sender %d", where, k)
		}
		if flags := [2]int{int(bits(s.active)), int(bits(s.idle))}; flags != listed[k] {
			require.Equal(t, flags, listed[k], "%s: sender %d is in a list once, as its flag has it", where, k)
		}
	}
	for addr := range want.reg {
		if want.reg[addr] != int(got.cfg[addr]) {
			require.Equal(t, want.reg[addr], int(got.cfg[addr]), "%s: register %d", where, addr)
		}
	}
}

func bits(on ...bool) (v uint64) {
	for i, x := range on {
		if x {
			v |= 1 << i
		}
	}
	return v
}

// outcome names what an event led to, for the tests to count.
func outcome(e *port.Event, r *port.Response) string {
	name := e.Kind.String()
	for i, on := range []bool{r.Refused, r.NoSender, r.Raised, r.Joined} {
		if on {
			name += []string{" refused", " no_sender", " raised", " joined"}[i]
		}
	}
	return name
}

// outcomes are those that there are.
var outcomes = []string{"LOAD", "LOAD refused", "READ", "READ refused", "CFG_WRITE", "CFG_WRITE refused", "CFG_READ",
	"CFG_READ refused", "OPEN", "OPEN refused", "CLOSE", "CLOSE refused", "CLOSE no_sender", "TARGET", "TARGET refused",
	"TARGET no_sender", "TARGET raised", "TARGET raised joined", "WANT", "WANT refused", "WANT no_sender", "WANT joined"}

// TestPacerMatchesPlainTwin compares the functions of an event and of a pull on long random runs.
func TestPacerMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(24) {
		rng := rand.New(rand.NewPCG(seed, 5))
		spec := Spec{Senders: []int{2, 4, 32}[seed%3]}
		slow, p := newPlain(spec.Senders), NewPacer(spec)
		for i := range 3000 {
			where := fmt.Sprintf("seed %d, job %d", seed, i)
			require.Equal(t, len(slow.active)+len(slow.idle) > 0, p.Waiting())
			if p.Waiting() && rng.IntN(2) == 0 {
				var got port.Pull
				ok, want := p.Pull(&got), slow.pull()
				require.Equal(t, want != nil, ok, where)
				if ok {
					require.Equal(t, *want, got, where)
				}
				met[fmt.Sprint("pull ", ok, " slow ", got.Slow)]++
				if ok && got.Quanta == 0 {
					met["empty"]++
				}
				if ok && got.Number < uint32(got.Quanta) {
					met["wrap"]++
				}
			} else {
				e := draw(rng, slow)
				var got port.Response
				p.Event(&e, &got)
				require.Equal(t, slow.event(e), got, "%s %+v", where, e)
				met[outcome(&e, &got)]++
			}
			same(t, slow, p, where)
		}
	}
	for _, name := range append(outcomes, "pull true slow false", "pull true slow true", "pull false slow false",
		"pull false slow true", "empty", "wrap") {
		require.GreaterOrEqual(t, met[name], 20, "%s hardly met in %v", name, met)
	}
}

func (in *plainIn) pack(rec []uint64) {
	port.PackEvent(&in.ev, rec)
	rec[0] |= bits(in.rstN)*port.InRstN | bits(in.evValid)*port.InEvValid | bits(in.rspReady)*port.InRspReady |
		bits(in.pullReady)*port.InPullReady
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	port.PackResponse(&o.rsp, rec)
	port.PackPull(&o.pull, rec)
	rec[0] |= bits(o.evReady)*port.OutEvReady | bits(o.rspValid)*port.OutRspValid | bits(o.pullValid)*port.OutPullValid
}

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets in the middle of a job and a sweep.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 21))
		spec := Spec{Senders: []int{2, 4, 32}[seed%3]}
		m, err := New(spec)
		require.NoError(t, err)
		slow := newPlainBlock(spec.Senders)
		var ev, rr, pr plain.Pressure
		var in plainIn
		var out plainOut
		low, at := 0, 0 // cycles of reset left, cycle of the next one
		for c := range 6000 {
			if c == at {
				low = 1 + rng.IntN(3)
				at += low + 1 + rng.IntN([]int{2 * spec.Senders, 3000}[rng.IntN(2)])
			}
			if in.rstN = low == 0; low > 0 {
				low--
				out.evReady = true // a reset may withdraw an offer
			}
			if !in.evValid || out.evReady {
				in.evValid, in.ev = ev.Draw(rng), draw(rng, slow.plainPacer)
			}
			in.rspReady, in.pullReady = rr.Draw(rng), pr.Draw(rng)
			if !in.rstN && slow.t > 0 && slow.t < spec.Senders {
				met["reset in a sweep"]++
			}
			if !in.rstN && slow.t > 0 && slow.job.to >= slow.t {
				met[fmt.Sprint("reset in a job, of a pull ", slow.job.pull)]++
			}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			late, turn := slow.late, slow.turn
			var seen plainSeen
			out, seen = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			where := fmt.Sprintf("seed %d cycle %d", seed, c)
			if slow.t == spec.Senders || slow.job.to >= 0 && slow.job.to == slow.t-1 { // nothing else changes it
				same(t, slow.plainPacer, m.pacer, where)
			}
			fifo, credits, pulls := m.InUse()
			require.Equal(t, [3]int{slow.q, slow.c, slow.p}, [3]int{fifo, credits, pulls}, where)
			require.Equal(t, pace{uint64(slow.wait), slow.late}, m.pace, where)
			require.Equal(t, slow.turn == 1, m.turn, where)
			for name, on := range map[string]bool{
				"no credit": slow.c == 8, "no pull": slow.p == 4, "full FIFO": slow.q == 2, "a stale one": seen.stale,
				"both, the event's turn":      seen.event && seen.due && turn == 0,
				"both, the pull's turn":       seen.event && seen.due && turn == 1,
				"an event in the pull's turn": seen.startE && turn == 1,
				"a pull in the event's turn":  seen.startP && turn == 0,
				"on time":                     seen.startP && late == 0,
				"late":                        seen.startP && late > 0 && late < 64,
				"too late":                    seen.startP && late == 64,
			} {
				if on {
					met[name]++
				}
			}
		}
	}
	for _, name := range []string{"reset in a sweep", "reset in a job, of a pull true", "reset in a job, of a pull false",
		"no credit", "no pull", "full FIFO", "a stale one", "both, the event's turn", "both, the pull's turn",
		"an event in the pull's turn", "a pull in the event's turn", "on time", "late", "too late"} {
		require.GreaterOrEqual(t, met[name], 10, "%s hardly met in %v", name, met)
	}
}
