package nic

import (
	"encoding/binary"

	"github.com/goldwire/goldwire/rtlmodel/beats"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// Sizes of headers and of the largest template, in bytes.
const (
	ethernet = 14
	ipv4     = 20
	ipv6     = 40
	maxSize  = 62
	udp      = 8
	native   = 4
	pds      = 16
)

// Types of the PDS header and bits of its first word. Source: contract.md, "Packets".
const (
	request = 13 << 11
	control = 11<<11 | 4<<7
	flagRtx = 0x10
	flagAr  = 0x08
	flagSyn = 0x04

	clearOffset = 1<<16 - port.Window // bytes 2 and 3 of a request
)

// frame is a packet whose bytes from those of head on are 0.
type frame struct {
	head   [2 * beats.Size]byte
	length int
}

// build fills the frame. Source: contract.md, "Packets".
func (f *frame) build(t *template, cfg *config, p *packet) {
	a, be, h := &p.act, binary.BigEndian, t.size
	u, data := udp, 0
	if t.native {
		u = native
	}
	sent := a.Kind == ps.ActionSent
	if sent {
		data = max(0, int(a.Size)-int(cfg.header))
	}
	payload := u + pds + data // p of the contract
	f.length = max(h+payload, port.MinFrame)

	b := f.head[:]
	clear(b)
	copy(b, t.bytes[:h])
	if t.ipv6 {
		be.PutUint16(b[h-ipv6+4:], uint16(payload))
	} else {
		total := uint16(ipv4 + payload)
		be.PutUint16(b[h-ipv4+2:], total)
		x := uint32(^be.Uint16(b[h-ipv4+10:])) + uint32(total)
		be.PutUint16(b[h-ipv4+10:], ^uint16(x&0xFFFF+x>>16))
	}

	b = b[h:]
	be.PutUint16(b, t.entropy&^cfg.spray|t.spray&cfg.spray)
	if !t.native {
		be.PutUint16(b[2:], cfg.port)
		be.PutUint16(b[4:], uint16(payload))
	}

	b = b[u:]
	be.PutUint32(b[4:], a.PSN)
	be.PutUint16(b[8:], a.PDC+1)
	be.PutUint16(b[10:], a.Peer)
	first := uint16(control)
	if sent {
		first = request
		if p.ar {
			first |= flagAr
		}
		if a.Syn {
			first |= flagSyn
			be.PutUint16(b[10:], a.PSNOffset)
		}
		be.PutUint16(b[2:], clearOffset)
		b[12] = uint8(a.PDC / port.Slots)
	}
	if a.IsRtx {
		first |= flagRtx
	}
	be.PutUint16(b, first)
}

// beat fills in beat i, and reports whether it is the last one.
func (f *frame) beat(i int, data *beats.Data, keep *uint64) (last bool) {
	at := i * beats.Size
	if at < len(f.head) {
		beats.Set(data, f.head[at:])
	} else {
		*data = beats.Data{}
	}
	left := f.length - at
	if last = left <= beats.Size; last {
		*keep = ^uint64(0) >> (beats.Size - left)
	} else {
		*keep = ^uint64(0)
	}
	return last
}
