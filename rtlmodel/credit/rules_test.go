package credit

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/credit"
)

// world is a pacer of 4 senders beside its plain twin.
type world struct {
	t    *testing.T
	p    *Pacer
	slow *plainPacer
}

// newWorld returns a world with the registers after reset, except those that are set.
func newWorld(t *testing.T, set ...uint32) *world {
	w := &world{t: t, p: NewPacer(Spec{Senders: 4}), slow: newPlain(4)}
	for i := 0; i < len(set); i += 2 {
		w.ask(port.KindCfgWrite, 0, uint8(set[i]), set[i+1])
	}
	return w
}

// event executes an event.
func (w *world) event(e port.Event) port.Response {
	rsp := port.Response{Refused: true, NoSender: true, Raised: true, Joined: true, Data: 9}
	w.p.Event(&e, &rsp)
	require.Equal(w.t, w.slow.event(e), rsp, "%+v", e)
	same(w.t, w.slow, w.p, "after an event")
	return rsp
}

// ask executes an event that is not refused.
func (w *world) ask(kind port.Kind, s uint16, addr uint8, data uint32) port.Response {
	rsp := w.event(port.Event{Kind: kind, Sender: s, Addr: addr, Data: data})
	require.False(w.t, rsp.Refused)
	return rsp
}

// wants opens a sender at a number and has it want more.
func (w *world) wants(s uint16, from, more uint32) {
	w.ask(port.KindOpen, s, 0, from)
	require.True(w.t, w.ask(port.KindTarget, s, 0, from+more).Joined)
}

// pull returns the pull of a job, nil if it has none.
func (w *world) pull() *port.Pull {
	x := port.Pull{Sender: 9, Number: 9, Quanta: 9, Slow: true}
	want := w.slow.pull()
	if !w.p.Pull(&x) {
		require.Nil(w.t, want)
		return nil
	}
	require.Equal(w.t, want, &x)
	same(w.t, w.slow, w.p, "after a pull")
	return &x
}

// flags returns open, active and idle of a sender as bits 0 to 2.
func (w *world) flags(s int) uint64 {
	x := w.p.Words(s)
	return x.Word(port.WordOpen)
}

func TestEvents(t *testing.T) {
	const load, read, write, look = port.KindLoad, port.KindRead, port.KindCfgWrite, port.KindCfgRead
	const opens, closes, target, want = port.KindOpen, port.KindClose, port.KindTarget, port.KindWant
	type rsp = port.Response
	refused, none, joined := rsp{Refused: true}, rsp{NoSender: true}, rsp{Raised: true, Joined: true}
	// Sender 0 is closed, 1 open, 2 open and active, 3 open and idle. Targets are 1000, granted 1000, 1000, 900, 1063.
	for _, tc := range []struct {
		name string
		ev   port.Event
		want rsp
	}{
		{"kind 0", port.Event{Kind: 0}, refused},
		{"kind 9", port.Event{Kind: 9, Sender: 1}, refused},
		{"kind 15", port.Event{Kind: 15, Sender: 1}, refused},
		{"OPEN of a closed one", port.Event{Kind: opens, Data: 0xFF000005}, rsp{}},
		{"OPEN of an open one", port.Event{Kind: opens, Sender: 1, Data: 5}, refused},
		{"OPEN beyond", port.Event{Kind: opens, Sender: 4}, refused},
		{"OPEN far beyond", port.Event{Kind: opens, Sender: 65535}, refused},
		{"CLOSE of a closed one", port.Event{Kind: closes}, none},
		{"CLOSE", port.Event{Kind: closes, Sender: 2}, rsp{}},
		{"CLOSE beyond", port.Event{Kind: closes, Sender: 4}, refused},
		{"TARGET of a closed one", port.Event{Kind: target, Data: 2000}, none},
		{"TARGET beyond", port.Event{Kind: target, Sender: 4, Data: 2000}, refused},
		{"TARGET as it is", port.Event{Kind: target, Sender: 1, Data: 1000}, rsp{}},
		{"TARGET lower", port.Event{Kind: target, Sender: 1, Data: 999}, rsp{}},
		{"TARGET higher", port.Event{Kind: target, Sender: 1, Data: 1001}, joined},
		{"TARGET, other bits", port.Event{Kind: target, Sender: 1, Data: 0xFF0003E8}, rsp{}},
		{"TARGET higher, other bits", port.Event{Kind: target, Sender: 1, Data: 0xFF0003E9}, joined},
		{"TARGET highest", port.Event{Kind: target, Sender: 1, Data: 1000 + 1<<23 - 1}, joined},
		{"TARGET opposite", port.Event{Kind: target, Sender: 1, Data: 1000 + 1<<23}, rsp{}},
		{"TARGET of an active one", port.Event{Kind: target, Sender: 2, Data: 1001}, rsp{Raised: true}},
		{"TARGET of an active one, lower", port.Event{Kind: target, Sender: 2, Data: 950}, rsp{}},
		{"TARGET of an idle one, below granted", port.Event{Kind: target, Sender: 3, Data: 1001}, joined},
		{"WANT of a closed one", port.Event{Kind: want, Data: 2000}, none},
		{"WANT beyond", port.Event{Kind: want, Sender: 4}, refused},
		{"WANT", port.Event{Kind: want, Sender: 1, Data: 5000}, rsp{Joined: true}},
		{"WANT of an active one", port.Event{Kind: want, Sender: 2, Data: 5000}, rsp{}},
		{"WANT of an idle one", port.Event{Kind: want, Sender: 3}, rsp{Joined: true}},
		{"LOAD 0", port.Event{Kind: load, Sender: 1, Addr: 0, Data: 0}, refused},
		{"LOAD 1 of a closed one", port.Event{Kind: load, Sender: 0, Addr: 1, Data: 0xFF000007}, rsp{}},
		{"LOAD 2", port.Event{Kind: load, Sender: 2, Addr: 2, Data: 0xFF000007}, rsp{}},
		{"LOAD 1 beyond", port.Event{Kind: load, Sender: 4, Addr: 1}, refused},
		{"LOAD 2 beyond", port.Event{Kind: load, Sender: 65535, Addr: 2}, refused},
		{"LOAD 3", port.Event{Kind: load, Addr: 3}, refused},
		{"LOAD 9", port.Event{Kind: load, Sender: 65535, Addr: 9, Data: 1<<32 - 1}, rsp{}},
		{"LOAD 10", port.Event{Kind: load, Addr: 10}, refused},
		{"LOAD 15", port.Event{Kind: load, Addr: 15}, refused},
		{"READ 0", port.Event{Kind: read, Sender: 3, Addr: 0, Data: 9}, rsp{Data: 0b101}},
		{"READ 1", port.Event{Kind: read, Sender: 2, Addr: 1}, rsp{Data: 1000}},
		{"READ 2", port.Event{Kind: read, Sender: 2, Addr: 2}, rsp{Data: 900}},
		{"READ 2 beyond", port.Event{Kind: read, Sender: 4, Addr: 2}, refused},
		{"READ 3", port.Event{Kind: read, Sender: 65535, Addr: 3}, rsp{Data: 1<<16 + 1}},
		{"READ 4", port.Event{Kind: read, Sender: 4, Addr: 4}, rsp{Data: 17}},
		{"READ 9", port.Event{Kind: read, Addr: 9}, rsp{Data: 19}},
		{"READ 10", port.Event{Kind: read, Addr: 10}, refused},
		{"CFG_READ 0", port.Event{Kind: look, Sender: 65535, Data: 9}, rsp{Data: 63}},
		{"CFG_READ 1", port.Event{Kind: look, Addr: 1}, rsp{Data: 338934}},
		{"CFG_READ 2", port.Event{Kind: look, Addr: 2}, rsp{Data: 3516}},
		{"CFG_READ 3", port.Event{Kind: look, Addr: 3}, refused},
		{"CFG_WRITE 3", port.Event{Kind: write, Addr: 3, Data: 1}, refused},
		{"QUANTA 0", port.Event{Kind: write, Addr: 0}, refused},
		{"QUANTA 256", port.Event{Kind: write, Addr: 0, Data: 256}, refused},
		{"QUANTA 257", port.Event{Kind: write, Addr: 0, Sender: 65535, Data: 257}, rsp{}},
		{"GAP 0", port.Event{Kind: write, Addr: 1}, refused},
		{"GAP 2^24", port.Event{Kind: write, Addr: 1, Data: 1 << 24}, refused},
		{"GAP 2^32 - 1", port.Event{Kind: write, Addr: 1, Data: 1<<32 - 1}, rsp{}},
		{"WINDOW 0", port.Event{Kind: write, Addr: 2}, rsp{}},
		{"WINDOW 2^16", port.Event{Kind: write, Addr: 2, Data: 1 << 16}, rsp{}},
		{"WINDOW 2^16 + 1", port.Event{Kind: write, Addr: 2, Data: 1<<16 + 1}, rsp{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			for s := range uint16(3) {
				w.ask(opens, s+1, 0, 1000)
			}
			w.ask(want, 3, 0, 0)
			w.pull()
			w.ask(want, 2, 0, 0)
			w.ask(load, 2, port.WordGranted, 900)
			w.ask(load, 3, port.WordGranted, 1063)
			w.ask(load, 0, port.WordStale, 19)
			w.ask(load, 0, port.WordEvents, 16)
			cfg, counters, words := w.p.cfg, w.p.counters, [4]port.Words{}
			for k := range words {
				words[k] = w.p.Words(k)
			}
			require.Equal(t, []uint64{0, 1, 3, 5}, []uint64{w.flags(0), w.flags(1), w.flags(2), w.flags(3)})

			tc.want.Kind, tc.want.Sender = tc.ev.Kind, tc.ev.Sender
			require.Equal(t, tc.want, w.event(tc.ev))
			low, s, joins := tc.ev.Data%(1<<24), tc.ev.Sender%4, tc.want.Joined
			switch x, ok := &words[s], !tc.want.Refused && !tc.want.NoSender; {
			case !ok:
			case tc.ev.Kind == opens:
				x.Open, x.Target, x.Granted = true, low, low
			case tc.ev.Kind == closes:
				x.Open = false
			case tc.ev.Kind == write:
				cfg[tc.ev.Addr] = tc.ev.Data % []uint32{1 << 8, 1 << 24, 1 << 16}[tc.ev.Addr]
			case tc.ev.Kind == load && tc.ev.Addr == 9:
				counters[9] = tc.ev.Data
			case tc.want.Raised || tc.ev.Kind == load && tc.ev.Addr == 1:
				x.Target = low
			case tc.ev.Kind == load:
				x.Granted = low
			}
			words[s].Active = words[s].Active || joins
			counters[4]++
			require.Equal(t, cfg, w.p.Config())
			require.Equal(t, counters, w.p.Counters(), "every event counts, and nothing else")
			for k, x := range words {
				got := w.p.Words(k)
				for addr := range port.WordActives {
					require.Equal(t, x.Word(addr), got.Word(addr), "word %d of sender %d", addr, k)
				}
				require.Equal(t, uint64(1<<16+1)+bits(joins), got.Word(port.WordActives))
			}
		})
	}
}

// Numbers have 24 bits, and words no other bits.
func TestWords(t *testing.T) {
	for _, addr := range []uint8{port.WordTarget, port.WordGranted} {
		for bit := range 32 {
			w := newWorld(t)
			w.ask(port.KindLoad, 2, addr, 1<<bit)
			for k := range uint16(4) {
				for at := range uint8(port.WordEvents) {
					want := uint32(0)
					if k == 2 && at == addr {
						want = 1 << bit & (1<<24 - 1)
					}
					require.Equal(t, want, w.ask(port.KindRead, k, at, 0).Data, "word %d of sender %d", at, k)
				}
			}
		}
	}
	for addr := port.WordEvents; addr < port.NumWords; addr++ {
		w := newWorld(t)
		w.ask(port.KindLoad, 0, uint8(addr), 1<<32-1)
		want := Counters{port.WordEvents: 1}
		want[addr] += 1<<32 - 1 // the event counts on top of its own data
		require.Equal(t, want, w.p.Counters())
		require.Equal(t, want[addr], w.ask(port.KindRead, 0, uint8(addr), 0).Data)
	}
}

func TestSpec(t *testing.T) {
	require.NoError(t, DefaultSpec().Validate())
	for senders, ok := range map[int]bool{0: false, 1: false, 2: true, 3: false, 4: true, 24: false, 4096: true,
		8192: false} {
		m, err := New(Spec{Senders: senders})
		require.Equal(t, ok, err == nil, "%d", senders)
		if ok {
			require.Equal(t, Spec{Senders: senders}, m.Spec())
		} else {
			require.ErrorContains(t, err, "credit: Senders")
		}
	}
}
