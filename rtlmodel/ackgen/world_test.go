package ackgen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/rtlmodel/ackparse"
	"github.com/goldwire/goldwire/rtlmodel/packet/plain"
	port "github.com/goldwire/goldwire/vectors/event/ackgen"
	pa "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// world is a receiver beside its plain twin. What ackparse makes of an answer is what a source learns from it.
type world struct {
	t         *testing.T
	r         *Receiver
	slow      *plainReceiver
	came, now Instant
}

// newWorld returns a receiver of 4 PDCs with the registers after reset, except those that are set.
func newWorld(t *testing.T, set ...uint32) *world {
	w := &world{t: t, r: NewReceiver(Spec{Pdcs: 4}), slow: newPlain(4)}
	w.set(set...)
	return w
}

// set sets registers.
func (w *world) set(pairs ...uint32) {
	for i := 0; i < len(pairs); i += 2 {
		w.ask(port.Cfg{Kind: port.KindCfgWrite, Addr: uint8(pairs[i]), Data: pairs[i+1]})
	}
}

// load sets words of PDC 0.
func (w *world) load(pairs ...uint32) {
	for i := 0; i < len(pairs); i += 2 {
		w.ask(port.Cfg{Kind: port.KindLoad, Addr: uint8(pairs[i]), Data: pairs[i+1]})
	}
}

// ask executes a cfg event, which is not refused.
func (w *world) ask(e port.Cfg) uint32 {
	var rsp port.Cfgr
	w.r.Configure(&e, &rsp)
	require.Equal(w.t, w.slow.configure(e), rsp)
	require.False(w.t, rsp.Refused)
	return rsp.Data
}

// frame executes a frame.
func (w *world) frame(b []byte) (reason string, ind port.Ind, answer []byte) {
	name, want, x := w.slow.receive(b, w.came, w.now)
	got, ind, answer := w.r.Receive(b, w.came, w.now)
	require.Equal(w.t, name, got.String(), "%x", b)
	require.Equal(w.t, want, ind, "%x", b)
	require.Equal(w.t, x.answer, answer, "%x", b)
	same(w.t, w.slow, w.r, -1, "")
	return name, ind, answer
}

// send executes a packet that gets a job, and returns the record of its answer, which is that of a sound packet.
func (w *world) send(f plain.Packet) (port.Ind, pa.Rec) {
	reason, ind, answer := w.frame(f.Bytes())
	require.Equal(w.t, "PASSED", reason)
	require.Equal(w.t, ind.Answered, answer != nil)
	require.Equal(w.t, ind.Verdict == port.VerdictRefused, ind.NackCode != port.NackCodeNone)
	var rec pa.Rec
	if answer != nil {
		cfg := ackparse.DefaultConfig()
		cfg[pa.RegControl] = 1
		require.True(w.t, ackparse.Parse(&cfg, answer, &rec).Passed(), "%x", answer)
		require.GreaterOrEqual(w.t, len(answer), 60)
		require.Equal(w.t, f.V6, rec.Ipv6)
		require.Equal(w.t, f.Native, rec.Native)
	}
	return ind, rec
}

// pds is send for a header over IPv4 and UDP.
func (w *world) pds(b []byte) (port.Ind, pa.Rec) { return w.send(plain.Packet{PDS: b}) }

// state returns the words of PDC 0.
func (w *world) state() port.Words { return w.r.Words(0) }

// opened returns a world whose PDC 0 is open, from PSN `first` on, and has all before it. Nothing was acknowledged
// since.
func opened(t *testing.T, first uint32, set ...uint32) *world {
	w := newWorld(t, set...)
	ind, _ := w.pds(data(2, fSyn, first-1, 7, 0))
	require.True(t, ind.Opened)
	require.Equal(t, port.VerdictAccepted, ind.Verdict)
	require.Equal(t, uint16(1), ind.Pdcid)
	require.Equal(t, first-1, w.state().Cack)
	return w
}

// put is the packet of data with this PSN in PDC 0 of `opened`.
func (w *world) put(flags int, psn uint32) (port.Ind, pa.Rec) {
	return w.pds(data(2, flags, psn, 7, 1))
}

// cp is a control packet for PDC 0.
func (w *world) cp(ctl, flags int, psn, base uint32) (port.Ind, pa.Rec) {
	return w.pds(cp(ctl, flags, psn, 7, 1, base))
}
