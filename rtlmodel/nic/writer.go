package nic

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// feedSlots are the slots of the feed: port.Feed, rounded up to a power of two.
const feedSlots = 16

// packet is an action that a packet comes of, and whether it asks for an ACK.
type packet struct {
	act ps.Act
	ar  bool
}

// template is what the packets of a context begin with.
type template struct {
	bytes        [beats.Size]byte
	size         int // bytes; 0: there is none
	ipv6, native bool
	entropy      uint16
	spray        uint16 // counts packets
}

// config are the values that a packet is built with.
type config struct {
	spray, port uint16
	header      uint32 // copy of txpdc's HEADER, bytes
}

// writer makes beats of packets.
type writer struct {
	templates []template
	config
	unaddressed, written uint32

	busy  bool
	pdc   uint16
	next  int // number of the next beat
	frame frame
}

func (w *writer) init(contexts int) { w.templates = make([]template, contexts) }

func (w *writer) reset() {
	clear(w.templates)
	*w = writer{templates: w.templates, config: config{
		port: uint16(port.RegInfo[port.RegPort].Reset), header: uint32(ps.RegInfo[ps.RegHeader].Reset)}}
}

// counts is what the start of a packet counts.
type counts struct{ unaddressed, written bool }

// count counts a packet that starts in this cycle.
func (w *writer) count(c counts) {
	if c.unaddressed {
		w.unaddressed++
	}
	if c.written {
		w.written++
	}
}

// write makes the next beat of the packet, and starts the next one when there is none or its last beat is made.
func (m *Model) write() (c counts) {
	w := &m.writer
	if w.busy && m.feed.Len() < port.Feed {
		x := m.feed.Push()
		x.Tag, x.Answer = uint32(w.pdc), false
		x.Last = w.frame.beat(w.next, &x.Data, &x.Keep)
		w.next++
		w.busy = !x.Last
	}
	if w.busy || m.packets.Len() == 0 {
		return c
	}
	p := m.packets.Front()
	m.packets.Pop()
	context := p.act.PDC / port.Slots
	t := &w.templates[context]
	if t.size == 0 {
		return counts{unaddressed: true}
	}
	w.busy, w.pdc, w.next = true, p.act.PDC, 0
	w.frame.build(t, &w.config, p)
	m.why.started(t, &w.config, &w.frame, p)
	t.spray++ // a LOAD of the form in this cycle makes it 0
	return counts{written: true}
}

// access executes a command for the writer and fills rsp, whose echoes are there.
func (w *writer) access(c *port.Cmd, rsp *port.Response) {
	switch ps.Kind(c.Kind) {
	case ps.KindLoad:
		rsp.Refused = !w.has(c) || c.Addr == port.WordSize && !allowed(c.Data)
		if !rsp.Refused {
			w.load(c)
		}
	case ps.KindRead:
		if rsp.Refused = !w.has(c); !rsp.Refused {
			rsp.Data = w.word(int(c.Index), int(c.Addr))
		}
	case ps.KindCfgWrite:
		switch c.Addr {
		case port.RegSpray:
			w.spray = uint16(c.Data)
		case port.RegPort:
			w.port = uint16(c.Data)
		default:
			rsp.Refused = true
		}
	case ps.KindCfgRead:
		switch c.Addr {
		case port.RegSpray:
			rsp.Data = uint64(w.spray)
		case port.RegPort:
			rsp.Data = uint64(w.port)
		default:
			rsp.Refused = true
		}
	default:
		rsp.Refused = true
	}
}

// has reports whether a LOAD or READ names a word that exists.
func (w *writer) has(c *port.Cmd) bool {
	return c.Addr < port.NumWords && (c.Addr >= port.WordUnaddressed || int(c.Index) < len(w.templates))
}

// allowed reports whether a form may be loaded.
func allowed(data uint64) bool {
	var form port.Words
	form.SetWord(port.WordSize, data)
	least := uint8(ethernet + ipv4)
	if form.Ipv6 {
		least = ethernet + ipv6
	}
	return form.Size == 0 || form.Size >= least && form.Size <= maxSize
}

func (w *writer) load(c *port.Cmd) {
	switch c.Addr {
	case port.WordSize:
		var form port.Words
		form.SetWord(port.WordSize, c.Data)
		t := &w.templates[c.Index]
		t.size, t.ipv6, t.native, t.entropy, t.spray = int(form.Size), form.Ipv6, form.Native, form.Entropy, 0
	case port.WordUnaddressed:
		w.unaddressed = uint32(c.Data)
	case port.WordWritten:
		w.written = uint32(c.Data)
	default:
		binary.LittleEndian.PutUint32(w.templates[c.Index].bytes[4*c.Addr:], uint32(c.Data))
	}
}

// word returns a word that exists.
func (w *writer) word(context, addr int) uint64 {
	switch addr {
	case port.WordSize:
		t := &w.templates[context]
		form := port.Words{Size: uint8(t.size), Ipv6: t.ipv6, Native: t.native, Entropy: t.entropy}
		return form.Word(addr)
	case port.WordUnaddressed:
		return uint64(w.unaddressed)
	case port.WordWritten:
		return uint64(w.written)
	}
	return uint64(binary.LittleEndian.Uint32(w.templates[context].bytes[4*addr:]))
}
