package trimmer

import port "github.com/goldwire/goldwire/vectors/event/trimmer"

// HeadBytes is the number of bytes of a frame that the block examines.
const HeadBytes = port.HeadBeats * 64

// Config holds the configuration registers by address.
type Config [port.NumRegs]uint32

// DefaultConfig returns the values after reset.
func DefaultConfig() (c Config) {
	for i := range c {
		c[i] = uint32(port.RegInfo[i].Reset)
	}
	return c
}

// Side holds the sideband fields of a packet's first beat, which decide on its treatment.
type Side struct {
	Trim    bool
	LastHop bool
	CE      bool
	Len     uint16 // bytes of the whole frame; used only when the frame has more than HEAD_BEATS beats

	TrimSize uint16 // bytes to trim to, as decided elsewhere; 0: the registers decide
}

// Result describes what was done to a packet.
type Result struct {
	Trimmed bool
	Marked  bool
	Cause   port.Cause
	Size    int // bytes of the trimmed frame; 0 when it was not trimmed
}

// Counters holds the counters by address.
type Counters [port.NumWords]uint32

// count counts one packet.
func (c *Counters) count(r *Result, lastHop bool) {
	c[port.WordFrames]++
	if r.Cause != port.CauseNone {
		c[r.Cause]++
	}
	if r.Trimmed && lastHop {
		c[port.WordTrimmedLasthop]++
	} else if r.Trimmed {
		c[port.WordTrimmed]++
	}
	if r.Marked {
		c[port.WordMarked]++
	}
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
		tooLarge := (addr == port.RegTrimSize || addr == port.RegMinSize) && ev.Data > port.MaxTrim
		if addr >= port.NumRegs || tooLarge {
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
