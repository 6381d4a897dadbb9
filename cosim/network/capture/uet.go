package capture

import (
	"encoding/binary"
	"hash/crc32"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/net"
)

// INT header on the wire (vectors/event/intmd/contract.md).
const (
	INTMagic   = 0x494e
	intVersion = 1
	intWords   = 2
)

// RoCEPort is the UDP destination port of a CNP, which is a packet of RoCEv2.
const RoCEPort = 4791

// Values of a CNP.
const (
	cnpOpcode = 0x81
	cnpKey    = 0xffff // the default partition
)

func when(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// header appends the headers of a packet behind UDP to dst: the PDS header and, where the packet has one, the INT
// header with its entries. The packet is no CNP.
func header(dst []byte, p *net.PacketInfo) []byte {
	pdc := uint64(p.Conn%65535) + 1
	psn, m, retx, ar := uint64(p.PSN), when(p.CE), when(p.Retx), when(p.AckReq)
	switch p.Kind {
	case net.PacketAck:
		cum := p.CumPSN - 1 // the greatest PSN up to which all packets have arrived
		offset := p.PSN - cum
		if p.Probe {
			offset = p.PSN
		}
		dst = ackHeader.encode(dst, TypeACKCC, 0, 0, m, retx, when(p.Probe), 0, uint64(uint16(offset)), uint64(cum), pdc, pdc,
			0, 0, 0, uint64(uint16(p.SackBase-cum)), p.Sack, uint64(p.ServiceTime), when(p.Restore), uint64(p.CwndPend&127),
			uint64(p.RcvdBytes&(1<<24-1)), uint64(p.OOO))
		return telemetry(dst, p)
	case net.PacketNack:
		return nackHeader.encode(dst, TypeNACK, 0, 0, m, retx, 0, uint64(p.Reason), 0, psn, pdc, pdc, 0)
	case net.PacketProbe:
		return controlHeader.encode(dst, TypeControl, controlProbe, 0, retx, 1, 0, uint64(uint16(p.PSN)), psn, pdc, pdc, 0)
	case net.PacketAckReq:
		return controlHeader.encode(dst, TypeControl, controlAckReq, 0, 0, 1, 0, 0, psn, pdc, pdc, 0)
	}
	dst = requestHeader.encode(dst, TypeRUDCCReq, 0, 0, retx, ar, 0, 0, psn, pdc, pdc, 0, 0)
	return telemetry(dst, p)
}

// telemetry appends the INT header of a packet that has one. A trimmed packet has lost it with its payload.
func telemetry(dst []byte, p *net.PacketInfo) []byte {
	if p.INT == nil || p.Trimmed {
		return dst
	}
	dst = intHeader.encode(dst, INTMagic, uint64(len(p.INT)), net.INTHops, intVersion, intWords,
		^uint64(net.INTHops)&255, uint64(p.Flows))
	for _, w := range p.INT {
		r := net.UnpackINT(w)
		dst = intEntry.encode(dst, uint64(r.Rate), uint64(r.TS), uint64(r.TxBytes), uint64(r.QLen))
	}
	return dst
}

// notification appends a CNP, without its CRC. It goes to the sender of the connection.
func notification(dst []byte, p *net.PacketInfo) []byte {
	return cnpHeader.encode(dst, cnpOpcode, 0, 0, 0, 0, cnpKey, 0, 1, 0, uint64(p.Conn%65535)+1, 0, 0, 0, 0, 0)
}

// invariant returns the invariant CRC of a RoCEv2 packet over IPv4, from its IP header on: eight bytes of ones, then
// the packet with ones in place of the fields that may change on the way, in the byte order of the wire.
func invariant(ip []byte) []byte {
	b := append(slices.Repeat([]byte{0xff}, 8), ip...)
	for _, at := range []int{1, 8, 10, 11, 26, 27, 32} { // type of service, TTL, two checksums, FECN and BECN
		b[8+at] = 0xff
	}
	return binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(b))
}
