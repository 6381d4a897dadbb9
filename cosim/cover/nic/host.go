package nic

import (
	"math"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackgen"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/nic"
	"github.com/goldwire/goldwire/vectors/event/txpdc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// Kinds of commands, which all parts but WINDOW and TIMES share.
const (
	load     = uint8(txpdc.KindLoad)
	read     = uint8(txpdc.KindRead)
	cfgWrite = uint8(txpdc.KindCfgWrite)
	cfgRead  = uint8(txpdc.KindCfgRead)
)

// span is when something was in force, at most: from the cycle in which the command that wrote it was accepted, to the
// one in which the answer to the next was taken.
type span struct{ from, to int64 }

// ever ends the span of what nothing has replaced.
const ever = math.MaxInt64

// template is what a context's packets begin with.
type template struct {
	span
	words [nic.WordSize]uint32
	form  uint32
	loads int // of a form; each resets the count for SPRAY
}

func (x *template) size() int    { return int(x.form & 63) }
func (x *template) ipv6() bool   { return x.form>>nic.WordIpv6LSB&1 != 0 }
func (x *template) native() bool { return x.form>>nic.WordNativeLSB&1 != 0 }

func (x *template) byte(i int) byte { return byte(x.words[i/4] >> (8 * (i % 4))) }

// shared are the registers by which packets are made.
type shared struct {
	span
	spray, port uint16
	header      int
}

// asked is a command without an answer, and those fields of the answer that follow from the commands alone.
type asked struct {
	nic.Cmd
	at                 int64
	refused, judged    bool // judged: refused is known
	data               uint64
	known              bool // data is known
	templates, shareds int  // versions that it ends
}

// host follows what a host has written.
type host struct {
	contexts, pdcs, receives int

	cmds      cover.Queue[asked]
	templates [][]template // of each context: those that can still matter, the newest last
	shareds   []shared
	regs      map[nic.Target][]uint64 // registers of the parts that have one set
}

var registersOf = map[nic.Target][]event.Register{nic.TargetSource: txpdc.Schema().Registers,
	nic.TargetDestination: ackgen.Schema().Registers, nic.TargetParser: ackparse.Schema().Registers,
	nic.TargetWriter: nic.Schema().Registers}

func (h *host) clear() {
	h.cmds = h.cmds[:0]
	if h.templates == nil {
		h.templates, h.regs = make([][]template, h.contexts), map[nic.Target][]uint64{}
	}
	for i := range h.templates {
		h.templates[i] = append(h.templates[i][:0], template{span: span{0, ever}})
	}
	for t, info := range registersOf {
		h.regs[t] = h.regs[t][:0]
		for _, r := range info {
			h.regs[t] = append(h.regs[t], r.Reset)
		}
	}
	h.shareds = append(h.shareds[:0], shared{span: span{0, ever}, port: uint16(nic.RegInfo[nic.RegPort].Reset),
		header: int(txpdc.RegInfo[txpdc.RegHeader].Reset)})
}

// command takes an accepted command. The commands before it decide what it meets.
func (h *host) command(x *nic.Cmd, at int64) {
	a := asked{Cmd: *x, at: at}
	switch x.Target {
	case nic.TargetWriter:
		a.judged, a.known = true, true
		h.toWriter(&a)
	case nic.TargetSource, nic.TargetDestination, nic.TargetParser:
		h.toPart(&a)
	case nic.TargetWindow:
		k := ccc.Kind(x.Kind)
		a.refused = x.Addr >= 32 || k > ccc.KindRead && k != ccc.KindCfgWrite && k != ccc.KindCfgRead
		a.judged = a.refused
	case nic.TargetTimes:
		k := x.Kind
		a.refused = k < uint8(txstate.KindLoad) || k > uint8(txstate.KindCfgWrite)
		a.judged = true
	default:
		a.refused, a.judged = true, true
	}
	if a.refused {
		a.data, a.known = 0, true
	}
	h.cmds = append(h.cmds, a)
}

// toPart is a command for a part that has registers.
func (h *host) toPart(a *asked) {
	regs := h.regs[a.Target]
	info := registersOf[a.Target]
	sixth := a.Addr >= 32 && a.Target != nic.TargetDestination
	if sixth || a.Kind == 0 || a.Kind > cfgRead && (a.Target != nic.TargetSource || a.Kind > uint8(txpdc.KindClose)) {
		a.refused, a.judged = true, true
		return
	}
	if a.Kind != cfgWrite && a.Kind != cfgRead {
		return
	}
	a.judged, a.known = true, true
	n := int(a.Addr)
	if n >= len(regs) || a.Kind == cfgWrite && forbidden(a.Target, n, uint32(a.Data)) {
		a.refused = true
	} else if a.Kind == cfgRead {
		a.data = regs[n]
	} else {
		regs[n] = a.Data & (1<<info[n].Width - 1)
	}
	if a.Target == nic.TargetSource && a.Kind == cfgWrite && n == txpdc.RegHeader {
		s := h.share(a)
		s.header = int(a.Data & 127)
	}
}

// forbidden reports whether a part refuses a value of a register.
func forbidden(t nic.Target, addr int, v uint32) bool {
	low := v & uint32(1<<registersOf[t][addr].Width-1)
	switch t {
	case nic.TargetSource:
		return addr == txpdc.RegPayload && (low < 7 || low > 13) ||
			(addr == txpdc.RegRto || addr == txpdc.RegTick || addr == txpdc.RegTries) && low == 0
	case nic.TargetParser:
		return addr == ackparse.RegAckState && v > ackparse.MaxAckState ||
			addr == ackparse.RegNackState && (v == 0 || v > ackparse.MaxNackState)
	case nic.TargetDestination:
		return (addr == ackgen.RegMpr || addr == ackgen.RegTick) && low == 0
	}
	return false
}

// toWriter is a command for the writer.
func (h *host) toWriter(a *asked) {
	n, ctx := int(a.Addr), int(a.Index)
	switch a.Kind {
	case load, read:
		if a.refused = n >= nic.NumWords || n < nic.WordUnaddressed && ctx >= h.contexts; a.refused {
			return
		}
		if n >= nic.WordUnaddressed {
			a.known = a.Kind == load
			return
		}
		list := h.templates[ctx]
		last := &list[len(list)-1]
		if a.Kind == read {
			a.data = uint64(last.form)
			if n < nic.WordSize {
				a.data = uint64(last.words[n])
			}
			return
		}
		if a.refused = n == nic.WordSize && badForm(uint32(a.Data)); a.refused {
			return
		}
		next := *last
		next.from = a.at
		if n == nic.WordSize {
			next.form = uint32(a.Data) & uint32(nic.WordMask[nic.WordSize])
			next.loads++
		} else {
			next.words[n] = uint32(a.Data)
		}
		a.templates = 1
		h.templates[ctx] = append(list, next)
	case cfgWrite, cfgRead:
		regs := h.regs[nic.TargetWriter]
		if a.refused = n >= len(regs); a.refused {
			return
		}
		if a.Kind == cfgRead {
			a.data = regs[n]
			return
		}
		regs[n] = a.Data & 0xffff
		s := h.share(a)
		s.spray, s.port = uint16(regs[nic.RegSpray]), uint16(regs[nic.RegPort])
	default:
		a.refused = true
	}
}

// badForm reports whether a form is refused.
func badForm(v uint32) bool {
	size, least := v&63, uint32(34)
	if v>>nic.WordIpv6LSB&1 != 0 {
		least = 54
	}
	return size != 0 && (size < least || size > 62)
}

// share begins a version of the shared registers.
func (h *host) share(a *asked) *shared {
	next := h.shareds[len(h.shareds)-1]
	next.from = a.at
	a.shareds = 1
	h.shareds = append(h.shareds, next)
	return &h.shareds[len(h.shareds)-1]
}

// answered ends the versions that the oldest command has replaced: its answer is taken.
func (h *host) answered(now int64) (a asked) {
	a = h.cmds.Pop()
	if a.templates > 0 {
		list := h.templates[a.Index]
		for i := range list {
			if i+1 < len(list) && list[i].to == ever && list[i+1].from == a.at {
				list[i].to = now
			}
		}
	}
	if a.shareds > 0 {
		for i := range h.shareds {
			if i+1 < len(h.shareds) && h.shareds[i].to == ever && h.shareds[i+1].from == a.at {
				h.shareds[i].to = now
			}
		}
	}
	return a
}

// forget drops what ended before a cycle.
func (h *host) forget(ctx int, before int64) {
	list := h.templates[ctx]
	k := 0
	for k+1 < len(list) && list[k].to < before {
		k++
	}
	h.templates[ctx] = append(list[:0], list[k:]...)
	k = 0
	for k+1 < len(h.shareds) && h.shareds[k].to < before {
		k++
	}
	h.shareds = append(h.shareds[:0], h.shareds[k:]...)
}

// outcomes are the labels of answers.
var outcomes = cover.Labels("done refused busy missing")
