package transport

import (
	"encoding/binary"
	"slices"

	"github.com/goldwire/goldwire/golden/fabric/net"
)

// Offsets in a frame without tags, over IPv4 without options and UDP, and sizes in bytes.
const (
	frameIP, frameUDP, frameUET = 14, 34, 42

	leastFrame   = 60
	requestBytes = 16
)

// onArrival returns the frame of a packet, of which head was sent, as it arrives: with the mark that switches have put
// on it, or cut to a size, with the lengths and the checksum made right.
func onArrival(head []byte, k *net.Packet, size int) Frame {
	ip := head[frameIP:]
	length := frameIP + int(binary.BigEndian.Uint16(ip[2:]))
	if k.Flags&net.FlagTrimmed != 0 {
		dscp := byte(net.DSCPTrimmed)
		if k.Flags&net.FlagLastHop != 0 {
			dscp = net.DSCPTrimmedLastHop
		}
		ip[1] = dscp<<2 | ip[1]&3
		length = min(length, max(size, RequestEnd))
		binary.BigEndian.PutUint16(ip[2:], uint16(length-frameIP))
		binary.BigEndian.PutUint16(head[frameUDP+4:], uint16(length-frameUDP))
	}
	if k.Kind == net.PacketData && k.Flags&net.FlagCE != 0 {
		ip[1] |= 3
	}
	sumHeader(ip)
	length = max(length, leastFrame)
	return Frame{Head: head[:min(len(head), length)], Length: length}
}

// RequestEnd is the end of the headers of a data packet, and of a CLOSE.
const RequestEnd = frameUET + requestBytes

// RequestPSN returns the PSN of a frame with a data packet or a CLOSE.
func RequestPSN(f Frame) uint32 { return binary.BigEndian.Uint32(f.Head[frameUET+4:]) }

// RequestTemplate returns the Ethernet and IP header of data from one host to another, with a total length of 0.
func RequestTemplate(from, to int32) []byte {
	src, dst, fromIP, toIP := net.MAC(from), net.MAC(to), net.Address(from).As4(), net.Address(to).As4()
	b := slices.Concat(dst[:], src[:],
		[]byte{0x08, 0x00, 0x45, net.DSCPTrimmable<<2 | 2, 0, 0, 0, 0, 0x40, 0, 64, 17, 0, 0}, fromIP[:], toIP[:])
	sumHeader(b[frameIP:])
	return b
}

// sumHeader sets the checksum of an IPv4 header without options.
func sumHeader(ip []byte) {
	ip[10], ip[11] = 0, 0
	sum := uint32(0)
	for i := 0; i < frameUDP-frameIP; i += 2 {
		sum += uint32(binary.BigEndian.Uint16(ip[i:]))
	}
	for sum > 0xffff {
		sum = sum&0xffff + sum>>16
	}
	binary.BigEndian.PutUint16(ip[10:], ^uint16(sum))
}
