package txpdc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// same compares the states of both, and holds the list of the model against its flags and against who is eligible.
func same(t *testing.T, want *plainSource, got *Source, where string) {
	for addr, name := range plainCounters {
		if uint32(want.counter[name]) != got.counters[addr] {
			require.Equal(t, want.counter[name], int(got.counters[addr]), "%s: counter %s", where, name)
		}
	}
	listed := make([]int, len(want.ctx))
	require.Equal(t, len(want.ready), got.ready.Len(), where)
	for _, c := range want.ready {
		x := got.ready.leave() // and, as it is the last then, the list is the same in the end
		got.ready.add(x)
		listed[x]++
		if c != int(x) {
			require.Equal(t, c, int(x), where)
		}
	}
	for c, x := range want.ctx {
		g := *got.contexts.Row(c)
		if g != (context{x.canSend, x.waits, x.queued, uint8(x.next)}) || listed[c] != number(x.queued) {
			require.Equal(t, fmt.Sprint(x), fmt.Sprint(g), "%s: context %d, %d times in the list", where, c, listed[c])
			require.Equal(t, number(x.queued), listed[c], "%s: context %d", where, c)
		}
		if got.eligible(c) && !g.queued {
			require.Fail(t, "nobody will give it a turn", "%s: context %d", where, c)
		}
	}
	for k := range want.pdc {
		x, p := &want.pdc[k], got.pdcs.Row(k)
		if *p != x.real() {
			require.Equal(t, fmt.Sprintf("%+v", x.real()), fmt.Sprintf("%+v", *p), "%s: PDC %d", where, k)
		}
		for i := range 128 {
			if r := got.row(k, uint32(i)); int(r.size) != x.size[i] || int(r.stamp) != x.stamp[i] {
				require.Equal(t, fmt.Sprint(x.size[i], x.stamp[i]), fmt.Sprint(*r), "%s: PDC %d row %d", where, k, i)
			}
		}
	}
	cfg := Config{uint32(want.payload), uint32(want.header), uint32(want.rto), uint32(want.tick), uint32(want.tries)}
	require.Equal(t, cfg, got.cfg, where)
	require.Equal(t, want.scan, got.scan, where)
}

// real returns the PDC as the model keeps it.
func (p *plainPDC) real() pdc {
	pack := func(on [128]bool) (b bitmap) {
		for i, x := range on {
			if x {
				b[i/64] |= 1 << (i % 64)
			}
		}
		return b
	}
	return pdc{valid: p.valid, syn: p.syn, closing: p.closing, stopped: p.stopped, tries: uint8(p.tries),
		mpr: uint8(p.mpr), peer: uint16(p.peer), n: p.n, start: uint32(p.start), una: uint32(p.una),
		left: uint32(p.left), sum: uint32(p.sum), rcvd: uint32(p.rcvd), closedAt: uint32(p.closedAt),
		acked: pack(p.acked), marked: pack(p.marked), resent: pack(p.resent)}
}

// outcome names what a command led to, for the tests to count.
func outcome(e *port.Cmd, r *port.Response) string {
	return e.Kind.String() + map[bool]string{true: " refused"}[r.Refused] + map[bool]string{true: " busy"}[r.Busy]
}

// outcomes are those that there are, and the actions by the jobs that have them.
var outcomes = []string{"LOAD", "LOAD refused", "READ", "READ refused", "CFG_WRITE", "CFG_WRITE refused", "CFG_READ",
	"CFG_READ refused", "OPEN", "OPEN refused", "OPEN busy", "MESSAGE", "MESSAGE refused", "MESSAGE busy", "CLOSE",
	"CLOSE refused", "CLOSE busy", "cmd OPENED", "cmd MESSAGE", "cmd CLOSING", "cmd FREED", "turn SENT", "turn nothing",
	"rec ACKED", "rec NACKED", "rec FREED", "rec STOPPED", "rec nothing", "timer LOST", "timer CLOSING",
	"timer STOPPED", "timer ACKED", "timer nothing", "stray", "stale", "unmarks", "SACK", "done", "tx", "resend", "last",
	"syn", "psn wraps", "limit", "retires"}

// count counts what a job led to.
func count(met map[string]int, job string, x *port.Act) {
	if x == nil {
		met[job+" nothing"]++
		return
	}
	met[job+" "+x.Kind.String()]++
	sent := x.Kind == port.ActionSent
	for name, on := range map[string]bool{"unmarks": x.UnmarkPkts > 0, "done": x.Done, "tx": x.Tx && !sent,
		"resend": x.IsRtx && sent, "last": x.Eom, "syn": x.Syn, "psn wraps": x.PSN < 50 && sent,
		"SACK": x.AckedPkts > 0 && !x.Tx} {
		if on {
			met[name]++
		}
	}
}

// TestSourceMatchesPlainTwin compares the functions of the jobs on long random runs.
func TestSourceMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 5))
		spec := Spec{Contexts: []int{2, 4, 8}[seed%3]}
		if seed%5 == 0 {
			spec.Contexts = 2
		}
		slow, s := newPlain(spec.Contexts), NewSource(spec)
		now := []uint64{0, 1<<32 - 3000, 1<<48 - 9000, 5}[seed%4]
		calm := seed%2 == 0 // a host that does nothing strange
		jobs := []string{"cmd", "view", "rec", "rec", "turn", "turn", "turn", "timer"}
		if seed%5 == 0 { // packets pile up
			jobs = []string{"cmd", "view", "view", "view", "view", "view", "turn", "turn", "turn", "turn", "turn"}
			if seed%2 == 0 {
				jobs = append(jobs, "rec")
			}
		}
		for _, e := range []port.Cmd{{Kind: port.KindCfgWrite, Addr: port.RegRto, Data: 1 + rng.Uint32N(6000)},
			{Kind: port.KindCfgWrite, Addr: port.RegTries, Data: 1 + rng.Uint32N(4)}} {
			var rsp port.Response
			s.Command(&e, now, &rsp, nil)
			slow.command(e, int(now))
		}
		for i := range 4000 {
			now = (now + uint64(rng.IntN(20))) % (1 << 48)
			where := fmt.Sprintf("seed %d, job %d", seed, i)
			got := port.Act{Kind: 15, PDC: 99, PSN: 99, Size: 99, Code: 99, Ar: true}
			var ok bool
			var want *port.Act
			job := jobs[rng.IntN(len(jobs))]
			switch job {
			case "cmd":
				e := drawCmd(rng, slow, calm || rng.IntN(3) > 0)
				rsp := port.Response{Kind: 15, PDC: 99, Data: 99, Busy: true, Refused: true}
				ok = s.Command(&e, now, &rsp, &got)
				var r port.Response
				r, want = slow.command(e, int(now))
				require.Equal(t, r, rsp, "%s %+v", where, e)
				met[outcome(&e, &rsp)]++
			case "view":
				v := drawView(rng, slow)
				s.View(&v)
				slow.viewed(v)
			case "rec":
				e := drawRec(rng, slow)
				stray, stale := slow.counter["stray"], slow.counter["stale"]
				require.Equal(t, slow.unmarks(e), s.Unmarks(&e), "%s %+v", where, e)
				ok, want = s.Record(&e, now, &got), slow.recorded(e, int(now))
				met["stray"] += number(slow.counter["stray"] != stray)
				met["stale"] += number(slow.counter["stale"] != stale)
			case "turn":
				require.Equal(t, len(slow.ready) > 0, s.Waiting(), where)
				if !s.Waiting() {
					continue
				}
				ok, want = s.Turn(now, &got), slow.turned(int(now))
				if ok {
					p := &slow.pdc[want.PDC]
					met["limit"] += number(p.n == p.limit() && p.limit() < 128)
					met["full"] += number(p.n == 128)
					met["full resend"] += number(p.n == 128 && want.IsRtx)
				}
			case "timer":
				require.Equal(t, slow.retires(), s.Retires(), where)
				met["retires"] += s.Retires()
				ok, want = s.Timer(now, &got), slow.timed(int(now))
			}
			require.Equal(t, want != nil, ok, where)
			if ok {
				require.Equal(t, *want, got, where)
			}
			if job != "view" {
				count(met, job, want)
			}
			same(t, slow, s, where)
		}
	}
	for _, name := range outcomes {
		require.GreaterOrEqual(t, met[name], 10, "%s hardly met in %v", name, met)
	}
}

func (in *plainIn) pack(rec []uint64) {
	port.PackCmd(&in.cmd, rec)
	port.PackRec(&in.rec, rec)
	port.PackView(&in.view, rec)
	rec[0] |= bit(in.rstN)*port.InRstN | bit(in.cmdValid)*port.InCmdValid | bit(in.recValid)*port.InRecValid |
		bit(in.viewValid)*port.InViewValid | bit(in.actReady)*port.InActReady | bit(in.rspReady)*port.InRspReady
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	port.PackAct(&o.act, rec)
	port.PackResponse(&o.rsp, rec)
	rec[0] |= bit(o.cmdReady)*port.OutCmdReady | bit(o.recReady)*port.OutRecReady | bit(o.viewReady)*port.OutViewReady |
		bit(o.actValid)*port.OutActValid | bit(o.rspValid)*port.OutRspValid
}

func bit(on bool) uint64 { return uint64(number(on)) }

// TestModelMatchesPlainTwin compares the clocked model with the plain implementation, cycle by cycle on packed records,
// under idle and back-pressure patterns and resets in the middle of a job and a sweep.
func TestModelMatchesPlainTwin(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 21))
		spec := Spec{Contexts: []int{2, 4}[seed%2]}
		sweep := spec.Pdcs() * port.Window
		m, err := New(spec)
		require.NoError(t, err)
		slow := newPlainBlock(spec.Contexts)
		var cv, rv, vv, ar, rr plain.Pressure
		var in plainIn
		var out plainOut
		low, at := 0, 0 // cycles of reset left, cycle of the next one
		for c := range 12000 {
			if c == at {
				low = 1 + rng.IntN(3)
				at += low + 1 + []int{rng.IntN(sweep + 300), sweep + rng.IntN(2500)}[rng.IntN(2)]
			}
			if in.rstN = low == 0; low > 0 {
				low--
				out.cmdReady, out.recReady, out.viewReady = true, true, true // a reset may withdraw an offer
			}
			if !in.cmdValid || out.cmdReady {
				in.cmdValid, in.cmd = cv.Draw(rng) && rng.IntN(8) == 0, drawCmd(rng, slow.plainSource, rng.IntN(4) > 0)
				if slow.rto > 500 && rng.IntN(9) == 0 {
					in.cmd = port.Cmd{Kind: port.KindCfgWrite, Addr: port.RegRto, Data: 1 + rng.Uint32N(500)}
				}
			}
			if !in.recValid || out.recReady {
				in.recValid, in.rec = rv.Draw(rng) && rng.IntN(16) == 0, drawRec(rng, slow.plainSource)
			}
			if !in.viewValid || out.viewReady {
				in.viewValid, in.view = vv.Draw(rng) && rng.IntN(8) == 0, drawView(rng, slow.plainSource)
			}
			in.actReady, in.rspReady = ar.Draw(rng), rr.Draw(rng)
			running := slow.job.to >= slow.t
			if !in.rstN && slow.t > 0 {
				if running {
					met["reset in a job of "+slow.job.name]++
				}
				met["reset in a sweep"] += number(slow.t < sweep)
			}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			credits, turn := slow.c, slow.turn
			var seen plainSeen
			out, seen = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			if want != got {
				require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			}
			where := fmt.Sprintf("seed %d cycle %d", seed, c)
			if slow.t == sweep || seen.end != "" { // nothing else changes it
				same(t, slow.plainSource, m.source, where)
			}
			cmds, recs, views, cs, xs := m.InUse()
			require.Equal(t, [5]int{len(slow.cmd), len(slow.rec), len(slow.view), slow.c, slow.x},
				[5]int{cmds, recs, views, cs, xs}, where)
			require.Equal(t, instant{uint64(slow.now), uint32(slow.phase)}, m.time, where)
			require.Equal(t, [2]int{slow.gap, slow.turn}, [2]int{m.gap, int(m.turn)}, where)
			if seen.end != "" {
				met[fmt.Sprint(seen.end, " ends ", seen.acts)]++
			}
			if !seen.idle {
				continue
			}
			ready := ""
			for _, name := range []string{"rec", "cmd", "turn"} {
				if seen.may[name] {
					ready += " " + name
				}
			}
			met[fmt.Sprint("turn ", turn, ready)]++
			met["no room"] += number(!seen.room && seen.may["view"])
			met["no credit"] += number(credits == 4 && len(slow.cmd) > 0 && seen.room)
			met["a late timer"] += number(seen.may["timer"] && seen.may["view"])
		}
	}
	names := []string{"reset in a sweep", "no room", "no credit", "a late timer", "view ends false", "timer ends true",
		"timer ends false", "rec ends true", "rec ends false", "cmd ends true", "cmd ends false", "turn ends true",
		"turn ends false"}
	for _, job := range []string{"view", "timer", "rec", "cmd", "turn"} {
		names = append(names, "reset in a job of "+job)
	}
	for turn := range 3 {
		for _, ready := range []string{"", " rec", " cmd", " turn", " rec cmd", " rec turn", " cmd turn",
			" rec cmd turn"} {
			names = append(names, fmt.Sprint("turn ", turn, ready))
		}
	}
	for _, name := range names {
		require.GreaterOrEqual(t, met[name], 2, "%s hardly met in %v", name, met)
	}
}
