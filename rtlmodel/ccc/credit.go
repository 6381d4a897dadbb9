package ccc

import (
	"math"

	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// The rules of the contract's section "Receiver credit". Where CTRL has credit off, none of them runs.

const (
	quantumBits = 8  // log2 of the bytes of a quantum
	pullW       = 24 // width of a number of quanta: credit of an event, last_pull, target
	shareFrac   = 16 // share, UQ0.16
)

func (r *Registers) creditOn() bool { return r[port.RegCtrl]&ctrlCreditOn != 0 }

// noWindow reports whether credit alone holds packets back.
func (r *Registers) noWindow() bool {
	const both = ctrlCreditOn | ctrlNoWindow
	return r[port.RegCtrl]&both == both
}

// most returns the largest credit in bytes.
func (r *Registers) most() int64 {
	return int64(min(max(r[port.RegMTU], r[port.RegMaxWnd]), math.MaxInt32))
}

// spend takes the bytes of a packet off the credit. A credit request takes none.
func (x *exec) spend() {
	if !x.ev.NoCredit {
		x.st.Credit = x.sats32(int64(x.st.Credit) - int64(x.ev.Size))
	}
}

// stop ends speculation: what is left of the credit that the context opened with is void.
func (x *exec) stop() {
	if s := x.st; x.reg.creditOn() && s.Speculating {
		s.Speculating = false
		s.Credit = min(s.Credit, 0)
		x.rsp.SpecEnded = true
	}
}

// pull executes CREDIT up to, but not including, update_state. A difference of 0 or of half the range or more means a
// repeated or an overtaken pull.
func (x *exec) pull() {
	x.stop()
	s := x.st
	d := fxp.WrapSub(uint64(x.ev.Credit), uint64(s.LastPull), pullW)
	if d == 0 || d>>(pullW-1) != 0 {
		return
	}
	s.Credit = int32(min(int64(s.Credit)+int64(d)<<quantumBits, x.reg.most()))
	s.LastPull = x.ev.Credit
	x.rsp.Granted = true
}

// want returns the credit in bytes that a target asks for. It is negative when the context holds more than it can use.
func (x *exec) want() int64 {
	s := x.st
	want := min(int64(s.Backlog+uint64(s.RtxBacklog)), x.reg.most())
	if !x.reg.noWindow() {
		want = min(want, int64(s.Cwnd)+int64(x.mtu()))
	}
	want -= int64(s.Credit)
	if s.Speculating && s.Backlog > 0 {
		want = max(want, int64(x.mtu()))
	}
	if x.ev.Share > 0 {
		want = fxp.MulShiftSigned(uint64(x.ev.Share), want, shareFrac)
	}
	return want
}

// target returns the target of a packet of a context that wants that many bytes, which are rounded up to quanta.
func (x *exec) target(want int64) uint32 {
	quanta := (want + 1<<quantumBits - 1) >> quantumBits
	return uint32(fxp.WrapAdd(uint64(x.st.LastPull), uint64(quanta), pullW))
}
