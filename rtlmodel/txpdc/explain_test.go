package txpdc

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// What is told of a response or an action leads to it, by rules that the table names for the output. Explaining changes
// nothing, and each transfer is told once, before it comes.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/txpdc", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 12))
		slow := newPlainBlock(2)
		m, err := New(Spec{Contexts: 2})
		require.NoError(t, err)
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		next := func(stream string) *event.Decision {
			require.NotEmpty(t, told[stream], "%s comes untold", stream)
			d := told[stream][0]
			told[stream] = told[stream][1:]
			return d
		}
		var out plainOut
		in := plainIn{}
		for c := range 16000 {
			if in.rstN = c != 0; !in.cmdValid || out.cmdReady {
				in.cmdValid, in.cmd = rng.IntN(20) == 0, drawCmd(rng, slow.plainSource, rng.IntN(9) > 0)
				if slow.rto > 700 {
					in.cmd = port.Cmd{Kind: port.KindCfgWrite, Addr: port.RegRto, Data: 700}
				}
			}
			if !in.recValid || out.recReady {
				in.recValid, in.rec = rng.IntN(20) == 0, drawRec(rng, slow.plainSource)
			}
			if !in.viewValid || out.viewReady {
				in.viewValid, in.view = rng.IntN(20) == 0, drawView(rng, slow.plainSource)
			}
			in.actReady, in.rspReady = rng.IntN(4) > 0, rng.IntN(4) > 0
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			in.pack(rec[:])
			out, _ = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			if want != got {
				require.Equal(t, want, got, "seed %d cycle %d in %+v", seed, c, in)
			}
			if out.rspValid && in.rspReady {
				d := next("rsp")
				judgeTold(t, book, d, port.ResponseMask[:], func(rec []uint64) { port.PackResponse(&out.rsp, rec) })
				judgeResponse(t, d, &out.rsp)
				met["rsp "+out.rsp.Kind.String()]++
			}
			if out.actValid && in.actReady {
				d := next("act")
				got := judgeTold(t, book, d, port.ActMask[:], func(rec []uint64) { port.PackAct(&out.act, rec) })
				judgeAct(t, d, got, &out.act)
				met[d.By["act_kind"][0]+" "+out.act.Kind.String()]++
			}
		}
		require.LessOrEqual(t, len(told["rsp"]), port.Cmds)
		require.LessOrEqual(t, len(told["act"]), port.Acts)
	}
	for _, name := range []string{"rsp LOAD", "rsp READ", "rsp OPEN", "rsp MESSAGE", "rsp CLOSE", "command/open OPENED",
		"command/message MESSAGE", "command/close CLOSING", "command/close FREED", "turn SENT", "record/ack/9 ACKED",
		"record/ack/1 FREED", "record/nack/1 FREED", "record/nack/2 STOPPED", "record/nack/3 NACKED", "timer LOST",
		"timer CLOSING", "timer ACKED", "timer STOPPED"} {
		require.Positive(t, met[name], "%s is not met in %v", name, met)
	}
}

// judgeTold holds what was told against the contract and against the fields that are not 0, and returns the values by
// their names.
func judgeTold(t *testing.T, book *contract.Book, d *event.Decision, mask []uint64,
	pack func([]uint64)) map[string]uint64 {
	require.Empty(t, d.Doubt)
	got := map[string]uint64{}
	for _, s := range d.Steps {
		require.NotNil(t, book.Rule(s.Rule), s.Rule)
		got[s.Name] = s.Value.Uint64()
	}
	for output, rules := range d.By {
		for _, r := range rules {
			require.True(t, book.Decides(output, r), "%s comes from %s", output, r)
		}
	}
	rec := make([]uint64, port.OutWords)
	pack(rec)
	l := event.NewLayout(port.Schema())
	for i := range l.Out.Slots {
		part := event.Part{Slot: &l.Out.Slots[i]}
		name := part.Name()
		if len(name) > 4 && name[:3] == d.Stream && l.Out.Slots[i].Get(rec) != 0 {
			require.NotEmpty(t, d.By[name], "%s of %v", name, d.By)
		}
	}
	require.Len(t, d.Before, port.NumWords)
	require.Len(t, d.After, port.NumWords)
	return got
}

func judgeResponse(t *testing.T, d *event.Decision, x *port.Response) {
	if x.Refused || x.Busy || x.Kind == port.KindRead {
		require.Equal(t, d.Before, d.After)
	}
	if x.Kind == port.KindRead && !x.Refused {
		require.Contains(t, d.Before, uint64(x.Data))
	}
	if x.Kind >= port.KindOpen && !x.Refused {
		require.Equal(t, fmt.Sprint("pdc=", x.PDC), d.Concern)
	}
}

func judgeAct(t *testing.T, d *event.Decision, got map[string]uint64, x *port.Act) {
	require.Equal(t, fmt.Sprint("pdc=", x.PDC), d.Concern)
	before, after := d.Before, d.After
	require.Equal(t, before[port.WordUna], got["una"])
	require.Equal(t, before[port.WordOutstanding], got["n"])
	diff := func(addr int) uint64 { return uint64(uint32(after[addr] - before[addr])) }
	switch x.Kind {
	case port.ActionOpened:
		require.Equal(t, x.Size, uint32(got["z"])*uint32(number(got["z"] < 256)))
	case port.ActionSent:
		require.Equal(t, uint64(x.PSN), uint64(uint32(got["una"]+got["i"])))
		require.Equal(t, x.IsRtx, got["again"] == 1)
		require.Equal(t, uint64(x.PDC%4), got["slot"])
		require.Equal(t, uint64(x.PDC/4), got["c"])
		require.Equal(t, uint64(x.Size), after[port.WordSize])
		require.Equal(t, uint64(1), diff(port.WordSent))
		require.Equal(t, uint64(1), diff(port.WordTurns))
		if !x.IsRtx {
			require.Equal(t, min(got["left"], 1<<got["PAYLOAD"])+got["HEADER"], uint64(x.Size))
		}
	case port.ActionAcked:
		require.Equal(t, before[port.WordOutstanding]-after[port.WordOutstanding], diff(port.WordUna))
		if d.By["act_kind"][0] == "timer" {
			require.Equal(t, uint64(1), got["stopped"])
			break
		}
		require.Equal(t, got["PSNs in N"], uint64(x.AckedPkts)+uint64(x.UnmarkPkts))
		require.Equal(t, got["of them marked"], uint64(x.UnmarkPkts))
		require.Equal(t, uint64(1), diff(port.WordAcks))
	case port.ActionNacked:
		require.Equal(t, uint64(x.PSN), uint64(uint32(got["una"]+got["i"])))
		require.Equal(t, []uint64{0, 1, uint64(number(x.Retx))}, []uint64{got["refuses"], got["in flight"], got["resent"]})
	case port.ActionLost:
		require.Equal(t, uint64(x.PSN), uint64(uint32(got["una"]+got["i"])))
		require.GreaterOrEqual(t, got["now - stamp modulo 2^32"], got["RTO * 2^min(tries, 6)"])
	case port.ActionStopped:
		require.Equal(t, uint64(1), after[0]>>port.WordStoppedLSB&1)
	case port.ActionFreed:
		require.Zero(t, after[0]&1)
	}
}

// A job without an action tells none, and an explanation ends.
func TestExplainEnds(t *testing.T) {
	b := newBench(t, 2)
	var told []string
	b.m.Explain(func(d *event.Decision) { told = append(told, d.Stream+" "+d.Concern) })
	b.run([]port.Cmd{{Kind: port.KindOpen, PDC: 5}, {Kind: port.KindCfgRead}}, nil, nil, takes, 60)
	b.m.Explain(nil)
	b.run([]port.Cmd{{Kind: port.KindOpen, PDC: 6}}, nil, nil, takes, 60)
	require.Equal(t, []string{"rsp pdc=5", "act pdc=5", "rsp counters"}, told)
}

// The state of what an input concerns.
func TestStateOf(t *testing.T) {
	m, err := New(Spec{Contexts: 2})
	require.NoError(t, err)
	for k := range 8 {
		*m.source.pdcs.Row(k) = pdc{una: uint32(100 + k)}
		m.source.row(k, 5).size = uint16(200 + k)
	}
	m.source.counters[port.WordTurns] = 7
	words := make([]uint64, port.NumWords)
	for _, tc := range []struct {
		lane int
		x    any
		want string
		size uint64
	}{
		{0, port.Cmd{Kind: port.KindRead, PDC: 3, Addr: 20, PSN: 5}, "pdc=3", 203},
		{0, port.Cmd{Kind: port.KindLoad, PDC: 3, Addr: 22, PSN: 6}, "pdc=3", 0},
		{0, port.Cmd{Kind: port.KindLoad, PDC: 3, Addr: 23, PSN: 5}, "counters", 0},
		{0, port.Cmd{Kind: port.KindRead, PDC: 8, Addr: 1}, "counters", 0},
		{0, port.Cmd{Kind: port.KindRead, Addr: 31}, "", 0},
		{0, port.Cmd{Kind: port.KindCfgRead}, "", 0},
		{0, port.Cmd{Kind: 8}, "", 0},
		{0, port.Cmd{Kind: port.KindOpen, PDC: 7, PSN: 5}, "pdc=7", 207},
		{1, port.Rec{PdsType: port.PdsTypeAck, Dpdcid: 3, AckPSN: 5, PSN: 6}, "pdc=2", 202},
		{1, port.Rec{PdsType: port.PdsTypeNack, Dpdcid: 3, AckPSN: 6, PSN: 133}, "pdc=2", 202},
		{1, port.Rec{PdsType: port.PdsTypeNack}, "counters", 0},
		{1, port.Rec{PdsType: port.PdsTypeNack, Dpdcid: 9}, "counters", 0},
		{2, port.View{Ctx: 1}, "pdc=4", 0},
		{2, port.View{Ctx: 2}, "counters", 0},
	} {
		in := make([]uint64, port.InWords)
		switch x := tc.x.(type) {
		case port.Cmd:
			port.PackCmd(&x, in)
		case port.Rec:
			port.PackRec(&x, in)
		case port.View:
			port.PackView(&x, in)
		}
		clear(words)
		require.Equal(t, tc.want, m.StateOf(tc.lane, in, words), "%+v", tc.x)
		require.Equal(t, tc.size, words[port.WordSize], "%+v", tc.x)
		require.Equal(t, tc.want != "", words[port.WordTurns] == 7)
	}
}
