package ackgen

import (
	"github.com/goldwire/goldwire/vectors/event/ackgen"
)

// job is what becomes of a packet, with what the bins sort it by.
type job struct {
	ind    ackgen.Ind
	answer answer // empty: none
	counts [4]int // counters that count it
	n      int    // how many they are
	k      int    // PDC, -1 without one

	d        int64 // distance of its PSN from the lowest that has not arrived
	shift    int
	cause    int    // set of reasons to acknowledge data
	full     bool   // pending saturates
	pending  uint64 // after the packet
	top      int    // of seen, before
	seen     int    // ones, before
	asking   int    // what became of asking
	sack     int    // where the bitmap begins
	base     int64
	ooo      int
	rcvd     uint32
	elapsed  uint32
	phase    bool // the packet came earlier in its tick than the job ended
	ackOff   int64
	beyond   bool
	pdsType  int
	flags    uint8
	checksum uint16
	twins    int // PDCs with its key
	free     int // PDCs that are free
}

// Reasons to acknowledge data at once.
const (
	causeFirst = 1 << iota
	causeAR
	causeCE
	causeSyn
	causeTrigger
	causeAsked
	causes = iota
)

// What becomes of asking.
const (
	askNone = iota
	askSet
	askRaised
	askKept
	askCleared
	askFar
)

// Where a bitmap begins.
const (
	sackNext = iota
	sackNewest
	sackProbe
	sackProbeFar
	sackNewestFar
)

// before reports whether PSN a precedes b.
func before(a, b uint32) bool { return (a-b)>>31 != 0 }

// NACK codes by name, for short.
const (
	none      = ackgen.NackCodeNone
	invalid   = ackgen.NackCodeInvDpdcid
	otherPDC  = ackgen.NackCodePDCHdrMismatch
	noPDC     = ackgen.NackCodeNoPDC
	newStart  = ackgen.NackCodeNewStartPSN
	wrongMode = ackgen.NackCodePDCModeMismatch
)

// count adds a counter to those that count the packet.
func (j *job) count(word int) {
	j.counts[j.n] = word
	j.n++
}

// run plays the job of a packet that ends in this cycle, with tick and phase as they are now.
func run(p *packet, pdcs []pdc, regs []uint64, tick, phase uint32) (j job) {
	j.k = -1
	j.ind = ackgen.Ind{Tag: p.tag, PSN: p.psn}
	code := j.find(p, pdcs)
	if j.ind.Verdict == ackgen.VerdictEarly {
		j.count(ackgen.WordEarly)
		return j
	}
	var c *pdc
	if j.k >= 0 {
		c = &pdcs[j.k]
		j.ind.Pdcid = uint16(j.k + 1)
		if j.ind.Opened {
			j.count(ackgen.WordOpens)
		}
	}
	if code == none {
		u := c.cack + 1
		j.d = int64(int32(p.psn - u))
		j.top, j.seen = c.seen.top(), c.seen.ones()
		switch {
		case c.rod != p.ordered:
			code = wrongMode
		case p.kind == cp:
			code = j.control(p, c)
		default:
			code = j.data(p, c, regs)
		}
	}
	if code != none {
		j.ind.Verdict, j.ind.NackCode, j.ind.Answered = ackgen.VerdictRefused, code, true
		j.count(ackgen.WordNacks)
		j.nack(p, code, regs)
		return j
	}
	j.count(ackgen.WordAccepted + int(j.ind.Verdict) - int(ackgen.VerdictAccepted))
	if j.ind.Answered {
		j.acknowledge(p, c, regs, tick, phase)
		c.pending, c.ce = 0, false
	}
	if j.ind.Verdict == ackgen.VerdictClosed {
		c.valid = false
	}
	return j
}

// find looks up the PDC of a packet, or opens it.
func (j *job) find(p *packet, pdcs []pdc) ackgen.NackCode {
	var src [4]uint32
	for i := range src {
		src[i] = uint32(p.Src[i/2] >> (32 * (i % 2)))
	}
	v6 := p.Family == 2
	mine := func(c *pdc) bool { return c.ipv6 == v6 && c.src == src && c.spdcid == p.spdcid }
	if !p.syn {
		k := int(p.dpdcid) - 1
		switch {
		case k >= len(pdcs) || !pdcs[k].valid:
			return invalid
		case !mine(&pdcs[k]):
			return otherPDC
		}
		j.k = k
		return none
	}
	found, free := -1, -1
	for k := len(pdcs) - 1; k >= 0; k-- {
		switch {
		case !pdcs[k].valid:
			free = k
			j.free++
		case mine(&pdcs[k]):
			found = k
			j.twins++
		}
	}
	switch {
	case found >= 0:
		if j.k = found; pdcs[found].start != p.start {
			return newStart
		}
		return none
	case p.kind == cp:
		j.ind.Verdict = ackgen.VerdictEarly
		return none
	case free < 0:
		return noPDC
	}
	j.k, j.ind.Opened = free, true
	pdcs[free] = pdc{valid: true, ipv6: v6, rod: p.ordered, spdcid: p.spdcid, src: src, start: p.start, cack: p.start - 1}
	return none
}

// data plays a request.
func (j *job) data(p *packet, c *pdc, regs []uint64) ackgen.NackCode {
	if j.d < 0 || j.d < 256 && c.seen.bit(int(j.d)) {
		j.ind.Verdict, j.ind.Answered = ackgen.VerdictDuplicate, true
		c.ce = c.ce || p.ce
		return none
	}
	switch {
	case j.d >= int64(regs[ackgen.RegMpr]):
		return ackgen.NackCodePSNOor
	case c.refuse && int(j.d) >= j.top:
		return ackgen.NackCodeClosing
	case uint64(p.DSCP) == regs[ackgen.RegTrimmed]:
		return ackgen.NackCodeTrimmed
	case uint64(p.DSCP) == regs[ackgen.RegTrimmedLasthop]:
		return ackgen.NackCodeTrimmedLasthop
	case c.rod && j.d != 0:
		return ackgen.NackCodeRodOoo
	}
	j.ind.Verdict = ackgen.VerdictAccepted
	c.seen[j.d>>6] |= 1 << (j.d & 63)
	j.shift = c.seen.advance()
	c.cack += uint32(j.shift)
	size := uint64(p.bytes) + regs[ackgen.RegNominal]
	c.rcvd += uint32(size)
	sum := uint64(c.pending) + max(size, regs[ackgen.RegMinAdd])
	j.full = sum > 0xffffffff
	c.pending = uint32(min(sum, 0xffffffff))
	c.ce = c.ce || p.ce
	control := regs[ackgen.RegControl]
	j.pending = uint64(c.pending)
	for i, on := range [causes]bool{!c.started, p.ar, control&2 != 0 && c.ce, control&4 != 0 && p.syn,
		uint64(c.pending) >= regs[ackgen.RegTrigger], c.asking && before(p.psn, c.asked)} {
		if on {
			j.cause |= 1 << i
		}
	}
	j.ind.Answered = j.cause != 0
	c.started = true
	if p.ar {
		j.ask(c, p.psn)
	}
	if c.asking && !before(c.cack+1, c.asked) {
		c.asking, j.asking = false, askCleared
	}
	return none
}

// ask notes that everything before a PSN is acknowledged when it arrives.
func (j *job) ask(c *pdc, psn uint32) {
	switch {
	case !c.asking:
		j.asking = askSet
	case before(c.asked, psn):
		j.asking = askRaised
	default:
		j.asking = askKept
		return
	}
	c.asking, c.asked = true, psn
}

// control plays a control packet.
func (j *job) control(p *packet, c *pdc) ackgen.NackCode {
	switch p.ctl {
	case ackReq:
		j.ind.Verdict = ackgen.VerdictAsked
		if j.asking = askFar; j.d >= 0 && j.d < 256 {
			j.ask(c, p.psn+1)
		}
	case probe:
		j.ind.Verdict = ackgen.VerdictProbed
	default:
		if j.d != 0 || j.seen != 0 {
			return ackgen.NackCodePktNotRcvd
		}
		j.ind.Verdict = ackgen.VerdictClosed
		c.cack = p.psn
	}
	c.ce = c.ce || p.ce
	j.ind.Answered = true
	return none
}
