package credit

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/contract"
	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// What is told of a response or a pull leads to it, by rules that the table names for the output. Explaining changes
// nothing, and each transfer is told once, before it comes.
func TestExplain(t *testing.T) {
	book, err := contract.Open("../../vectors/event/credit", port.Schema())
	require.NoError(t, err)
	met := map[string]int{}
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 12))
		slow := newPlainBlock(4)
		m, err := New(Spec{Senders: 4})
		require.NoError(t, err)
		told := map[string][]*event.Decision{}
		m.Explain(func(d *event.Decision) { told[d.Stream] = append(told[d.Stream], d) })
		next := func(stream string) (*event.Decision, map[string]uint64) {
			d := told[stream][0]
			told[stream] = told[stream][1:]
			return d, judgeTold(t, book, d)
		}
		for c := range 6000 {
			in := plainIn{rstN: c != 0, evValid: rng.IntN(8) == 0, ev: draw(rng, slow.plainPacer), rspReady: rng.IntN(8) > 0,
				pullReady: rng.IntN(8) > 0}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			in.pack(rec[:])
			out, _ := slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v", seed, c, in)
			if out.rspValid && in.rspReady {
				d, x := next("rsp")
				judgeResponse(t, d, x, &out.rsp)
				met[d.By["rsp_refused"][0]]++
			}
			if out.pullValid && in.pullReady {
				d, x := next("pull")
				judgePull(t, d, x, &out.pull)
				met[d.By["pull_sender"][0]]++
			}
		}
		require.LessOrEqual(t, len(told["rsp"]), port.Credits)
		require.LessOrEqual(t, len(told["pull"]), port.Pulls)
	}
	for _, rule := range []string{"events/open", "events/close", "events/target", "events/want", "events/load", "pull/1",
		"pull/2"} {
		require.Greater(t, met[rule], 20, "%s hardly met in %v", rule, met)
	}
}

// judgeTold holds what was told against the contract, and returns the values by their names.
func judgeTold(t *testing.T, book *contract.Book, d *event.Decision) map[string]uint64 {
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
	for _, field := range port.Schema().Stream(d.Stream).Fields {
		require.NotEmpty(t, d.By[d.Stream+"_"+field.Name], field.Name)
	}
	require.Len(t, d.Before, port.NumWords)
	require.Len(t, d.After, port.NumWords)
	return got
}

func judgeResponse(t *testing.T, d *event.Decision, got map[string]uint64, x *port.Response) {
	if x.Kind != port.KindLoad || x.Refused {
		require.Equal(t, uint32(d.Before[port.WordEvents]+1), uint32(d.After[port.WordEvents]))
	}
	if x.Kind == port.KindRead && !x.Refused {
		require.Contains(t, d.Before, uint64(x.Data))
	}
	if d.By["rsp_refused"][0] == "events/load" {
		return
	}
	require.Equal(t, fmt.Sprint("sender=", x.Sender), d.Concern)
	require.Equal(t, d.Before[0]&1, got["open"])
	require.Equal(t, d.Before[0]>>1&1, got["active"])
	switch x.Kind {
	case port.KindOpen:
		require.Equal(t, x.Refused, got["open"] == 1)
	case port.KindTarget:
		more := got["diff(data, target) modulo 2^24"]
		require.Equal(t, x.Raised, got["open"] == 1 && more > 0 && more < 1<<23)
		if x.Raised {
			require.Equal(t, (d.Before[1]+more)&numbers, d.After[1])
		}
		fallthrough
	default:
		require.Equal(t, x.NoSender, got["open"] == 0)
	}
}

func judgePull(t *testing.T, d *event.Decision, got map[string]uint64, x *port.Pull) {
	require.Equal(t, fmt.Sprint("sender=", x.Sender), d.Concern)
	require.Equal(t, uint64(x.Sender), got["s"])
	require.Equal(t, uint64(x.Quanta), got["n"])
	require.Equal(t, uint64(x.Number), d.After[port.WordGranted])
	require.Equal(t, (d.Before[port.WordGranted]+uint64(x.Quanta))&numbers, d.After[port.WordGranted])
	require.Less(t, got["wait * 2^16"], uint64(1<<16))
	if x.Slow {
		require.Equal(t, got["QUANTA"], got["n"])
		require.Equal(t, got["x modulo 2^24"] < got["WINDOW"], d.After[port.WordIdle]>>port.WordIdleLSB&1 == 1)
	} else {
		require.Equal(t, min(got["QUANTA"], got["demand"]), got["n"])
		require.Equal(t, got["demand"] > got["n"], d.After[port.WordActive]>>port.WordActiveLSB&1 == 1)
	}
	require.Contains(t, []uint64{5, 5 + got["late"]}, got["back"])
	require.Zero(t, got["g * 2^16"]%max(got["n"], port.Empty*(1-min(got["n"], 1))))
}

// A job without a pull tells nothing, and an explanation ends.
func TestExplainEnds(t *testing.T) {
	b := newBench(t, 4).greedy(2, 1, 1).set(port.Event{Kind: port.KindClose, Sender: 0})
	var told []string
	b.m.Explain(func(d *event.Decision) { told = append(told, d.Stream+" "+d.Concern) })
	b.run(looks(1), takes, 14)
	b.m.Explain(nil)
	b.run(looks(2), takes, 50)
	require.Equal(t, []string{"rsp shared", "pull sender=1"}, told)
}

// The state of what an event concerns.
func TestStateOf(t *testing.T) {
	b := newBench(t, 4).greedy(1, 1, 1)
	words := make([]uint64, port.NumWords)
	for _, tc := range []struct {
		ev   port.Event
		want string
		open uint64
	}{
		{port.Event{Kind: port.KindRead, Addr: 2}, "sender=0", 3},
		{port.Event{Kind: port.KindLoad, Sender: 3, Addr: 0}, "sender=3", 0},
		{port.Event{Kind: port.KindRead, Sender: 4, Addr: 2}, "shared", 0},
		{port.Event{Kind: port.KindRead, Addr: 3}, "shared", 0},
		{port.Event{Kind: port.KindRead, Addr: 9}, "shared", 0},
		{port.Event{Kind: port.KindRead, Addr: 10}, "", 0},
		{port.Event{Kind: port.KindCfgRead, Addr: 1}, "", 0},
		{port.Event{Kind: 9}, "", 0},
		{port.Event{Kind: port.KindOpen}, "sender=0", 3},
		{port.Event{Kind: port.KindClose, Sender: 1}, "sender=1", 0},
		{port.Event{Kind: port.KindTarget}, "sender=0", 3},
		{port.Event{Kind: port.KindWant, Sender: 65535}, "shared", 0},
	} {
		var in [port.InWords]uint64
		port.PackEvent(&tc.ev, in[:])
		clear(words)
		require.Equal(t, tc.want, b.m.StateOf(0, in[:], words), "%+v", tc.ev)
		require.Equal(t, tc.open, words[0])
		require.Equal(t, tc.want != "", words[port.WordEvents] == 4)
	}
}
