package ackparse

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/ackparse"
)

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Verdict is what the decision on a packet ends with: the address of the counter that counts the packet besides
// frames, which is that of a reason to drop it, or that of its type. 0 means that there is no verdict.
type Verdict uint8

// Passed reports whether the packet is passed on.
func (v Verdict) Passed() bool { return v >= port.WordAcks }

var verdictNames = [port.NumWords]string{"none", "TRUNCATED", "ETHERTYPE", "HEADER", "FRAGMENT", "EXTENSION",
	"PROTOCOL", "LENGTH", "IP_SUM", "UDP_SUM", "PORT", "TYPE", "SHORT", "CC_TYPE", "CTL_TYPE", "PDCID",
	"ACK", "ACK_CC", "ACK_CCX", "NACK", "NACK_CCX", "CP"}

// String returns the contract's name of the reason or of the type.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}

// Counters holds the counters by address.
type Counters [port.NumWords]uint32

// count counts one packet.
func (c *Counters) count(v Verdict) {
	c[port.WordFrames]++
	c[v]++
}

// configure executes one cfg event on registers and counters and fills all of rsp. Source:
// contract.md, "cfg".
func configure(cfg *Config, counters *Counters, ev *port.Cfg, rsp *port.Cfgr) {
	*rsp = port.Cfgr{Kind: ev.Kind}
	addr := int(ev.Addr)
	switch ev.Kind {
	case port.KindLoad, port.KindRead:
		switch {
		case addr >= port.NumWords:
			rsp.Refused = true
		case ev.Kind == port.KindLoad:
			counters[addr] = ev.Data
		default:
			rsp.Data = counters[addr]
		}
	case port.KindCfgWrite:
		if addr >= port.NumRegs || forbidden(addr, ev.Data) {
			rsp.Refused = true
			return
		}
		cfg[addr] = ev.Data & (1<<port.RegInfo[addr].Width - 1)
	case port.KindCfgRead:
		if addr >= port.NumRegs {
			rsp.Refused = true
			return
		}
		rsp.Data = cfg[addr]
	default:
		rsp.Refused = true
	}
}

// forbidden reports whether a register must not have the value.
func forbidden(addr int, data uint32) bool {
	switch addr {
	case port.RegAckState:
		return data > port.MaxAckState
	case port.RegNackState:
		return data == 0 || data > port.MaxNackState
	}
	return false
}
