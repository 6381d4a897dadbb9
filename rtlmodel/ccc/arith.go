package ccc

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// Helpers of the contract's section "State of a context". The response keeps the flag of a clamp even if the clamped
// value is not used.

// sat32 returns min(a + b, 2^32 - 1).
func (x *exec) sat32(a uint32, b uint64) uint32 {
	v, fl := fxp.AddSat(uint64(a), b, 32)
	if fl != 0 {
		x.rsp.Saturated = true
	}
	return uint32(v)
}

// sat48 returns min(a + b, 2^48 - 1).
func (x *exec) sat48(a, b uint64) uint64 {
	v, fl := fxp.AddSat(a, b, 48)
	if fl != 0 {
		x.rsp.Saturated = true
	}
	return v
}

// sats32 returns v clamped to signed 32 bits.
func (x *exec) sats32(v int64) int32 {
	v, fl := fxp.Clamp(v, 32)
	if fl != 0 {
		x.rsp.Saturated = true
	}
	return int32(v)
}

// sub0 returns a - b, or 0 when a counter would go below zero.
func (x *exec) sub0(a, b uint32) uint32 {
	v, fl := fxp.SubSat(uint64(a), uint64(b))
	if fl != 0 {
		x.rsp.Underflow = true
	}
	return uint32(v)
}

// since returns the ticks from t to the event, modulo 2^48.
func (x *exec) since(t uint64) uint64 { return fxp.WrapSub(x.ev.Now, t, port.TimeW) }

func (x *exec) mtu() uint32 { return uint32(x.reg[port.RegMTU]) }

// shrink lowers cwnd by n bytes, but not below MTU. It sets no flag.
func (x *exec) shrink(n uint64) {
	left, _ := fxp.SubSat(uint64(x.st.Cwnd), n)
	x.st.Cwnd = max(x.mtu(), uint32(left))
}
