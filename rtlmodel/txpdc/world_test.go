package txpdc

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// world is a source of 2 contexts, 8 PDCs, beside its plain twin. now is the time of the next job.
type world struct {
	t    *testing.T
	s    *Source
	slow *plainSource
	now  uint64
}

// newWorld returns a world with the registers after reset, except those that are set.
func newWorld(t *testing.T, set ...uint32) *world {
	w := &world{t: t, s: NewSource(Spec{Contexts: 2}), slow: newPlain(2), now: 1000}
	for i := 0; i < len(set); i += 2 {
		w.ask(port.Cmd{Kind: port.KindCfgWrite, Addr: uint8(set[i]), Data: set[i+1]})
	}
	return w
}

// check holds the end of a job against the twin, and returns its action without pdc and now, which are checked too.
func (w *world) check(ok bool, got *port.Act, want *port.Act) *port.Act {
	require.Equal(w.t, want != nil, ok)
	same(w.t, w.slow, w.s, "after a job")
	if !ok {
		return nil
	}
	require.Equal(w.t, want, got)
	require.Equal(w.t, w.now, got.Now)
	return got
}

// rubbish is an action that a job must overwrite.
func rubbish() port.Act {
	return port.Act{Kind: 15, PDC: 9, PSN: 9, Size: 9, IsRtx: true, Syn: true, PSNOffset: 9, Ar: true, Eom: true, Peer: 9,
		Tx: true, Done: true, RcvdBytes: 9, AckedPkts: 9, UnmarkPkts: 9, UnmarkBytes: 9, M: true, Retx: true, Entropy: 9,
		ServiceTime: 9, Pend: 9, RC: true, Code: 9}
}

// cmd executes a command.
func (w *world) cmd(c port.Cmd) (port.Response, *port.Act) {
	rsp, act := port.Response{Refused: true, Busy: true, Data: 9}, rubbish()
	ok := w.s.Command(&c, w.now, &rsp, &act)
	r, want := w.slow.command(c, int(w.now))
	require.Equal(w.t, r, rsp, "%+v", c)
	return rsp, w.check(ok, &act, want)
}

// ask executes a command that is neither refused nor busy.
func (w *world) ask(c port.Cmd) *port.Act {
	rsp, act := w.cmd(c)
	require.False(w.t, rsp.Refused || rsp.Busy, "%+v", c)
	return act
}

// load writes a word of a PDC.
func (w *world) load(k, addr int, psn, data uint32) {
	w.ask(port.Cmd{Kind: port.KindLoad, PDC: uint16(k), Addr: uint8(addr), PSN: psn, Data: data})
}

// word reads a word of a PDC.
func (w *world) word(k, addr int) uint32 {
	rsp, _ := w.cmd(port.Cmd{Kind: port.KindRead, PDC: uint16(k), Addr: uint8(addr)})
	require.False(w.t, rsp.Refused)
	return rsp.Data
}

// may has a context send, as the view of an event of ccc other than SEND.
func (w *world) may(c int, can bool) { w.view(port.View{Kind: 1, Ctx: uint16(c), CanSend: can}) }

func (w *world) view(v port.View) {
	w.s.View(&v)
	w.slow.viewed(v)
	same(w.t, w.slow, w.s, "after a view")
}

// record executes a record.
func (w *world) record(r port.Rec) *port.Act {
	act := rubbish()
	require.Equal(w.t, w.slow.unmarks(r), w.s.Unmarks(&r))
	ok := w.s.Record(&r, w.now, &act)
	return w.check(ok, &act, w.slow.recorded(r, int(w.now)))
}

// turn executes a turn.
func (w *world) turn() *port.Act {
	act := rubbish()
	ok := w.s.Turn(w.now, &act)
	return w.check(ok, &act, w.slow.turned(int(w.now)))
}

// send executes a turn that sends, and the view of its SEND.
func (w *world) send() *port.Act {
	require.True(w.t, w.s.Waiting())
	x := w.turn()
	require.NotNil(w.t, x)
	w.view(port.View{Kind: viewSend, Ctx: x.PDC / port.Slots, CanSend: true})
	return x
}

// timer executes the job of the timer for a PDC.
func (w *world) timer(k int) *port.Act {
	w.s.scan, w.slow.scan = k, k
	act := rubbish()
	require.Equal(w.t, w.slow.retires(), w.s.Retires())
	ok := w.s.Timer(w.now, &act)
	x := w.check(ok, &act, w.slow.timed(int(w.now)))
	require.Equal(w.t, (k+1)%8, w.s.scan)
	return x
}

// opens opens a PDC at a PSN, has it take a message of so many full packets of 128 bytes, and sends them all.
func (w *world) opens(k int, psn uint32, packets int) {
	w.ask(port.Cmd{Kind: port.KindCfgWrite, Addr: port.RegPayload, Data: 7})
	w.ask(port.Cmd{Kind: port.KindOpen, PDC: uint16(k), Data: psn})
	w.may(k/port.Slots, true)
	if packets == 0 {
		return
	}
	w.ask(port.Cmd{Kind: port.KindMessage, PDC: uint16(k), Data: uint32(packets) * 128})
	for i := range packets {
		x := w.send()
		require.Equal(w.t, [2]uint32{uint32(k), psn + uint32(i)}, [2]uint32{uint32(x.PDC), x.PSN})
	}
}

// pdc returns the PDC as words.
func (w *world) pdc(k int) port.Words { return w.s.Words(k, 0) }

// ack returns an ACK up to psn for PDC k, whose destination is PDC 77.
func ack(k int, psn uint32) port.Rec {
	return port.Rec{PdsType: port.PdsTypeAck, PSN: psn, AckPSN: psn, Spdcid: 77, Dpdcid: uint16(k + 1)}
}

// sack returns an ACK_CC up to psn and of those that bits has from base on.
func sack(k int, psn, base uint32, bits uint64) port.Rec {
	r := ack(k, psn)
	r.PdsType, r.SackBase, r.SackBitmap = port.PdsTypeAckCc, base, bits
	return r
}

// nack returns a NACK of psn for PDC k.
func nack(k int, psn uint32, code uint8, retx bool) port.Rec {
	return port.Rec{PdsType: port.PdsTypeNack, PSN: psn, NackCode: code, Retx: retx, Dpdcid: uint16(k + 1)}
}

// trimmed is the code of a NACK of a packet that arrived trimmed.
const trimmed = 0x01
