package capture

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	fabnet "github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/topo"
	"github.com/goldwire/goldwire/golden/units"
)

// Ports returns the ports of a link by name: one port for one direction, such as "tor0->agg1", two for both, such as
// "tor0-agg1". It returns an error when there is no such link.
func Ports(n *topo.Net, link string) ([]int32, error) {
	if strings.Contains(link, "->") {
		p, err := n.FindPort(link)
		if err != nil {
			return nil, err
		}
		return []int32{p}, nil
	}
	l, err := n.FindLink(link)
	if err != nil {
		return nil, err
	}
	var out []int32
	for i := range n.Ports {
		if n.Ports[i].Link == l {
			out = append(out, int32(i))
		}
	}
	return out, nil
}

// Writer writes the packets of a set of ports; each port is one interface of the capture.
type Writer struct {
	spec  Spec
	net   *topo.Net
	out   *pcapgo.NgWriter
	ids   map[int32]int
	head  []byte
	zeros []byte
	buf   gopacket.SerializeBuffer
	err   error
}

// NewWriter returns a writer of the ports' packets to w. It errors when w does or when the spec is invalid.
func NewWriter(w io.Writer, spec Spec, n *topo.Net, ports []int32) (*Writer, error) {
	if err := spec.Validate(); err != nil {
		return nil, err
	}
	c := &Writer{spec: spec, net: n, ids: map[int32]int{}, zeros: make([]byte, 1<<16), buf: gopacket.NewSerializeBuffer()}
	face := func(p int32) pcapgo.NgInterface {
		d := n.Ports[p]
		return pcapgo.NgInterface{
			Name: n.Name(p), LinkType: layers.LinkTypeEthernet, TimestampResolution: 9,
			Description: fmt.Sprintf("%v Gb/s, %d ps", d.Gbps, d.Latency),
		}
	}
	for i, p := range ports {
		if i == 0 {
			out, err := pcapgo.NewNgWriterInterface(w, face(p),
				pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "goldwire fabric"}})
			if err != nil {
				return nil, fmt.Errorf("capture: %w", err)
			}
			c.out, c.ids[p] = out, 0
			continue
		}
		id, err := c.out.AddInterface(face(p))
		if err != nil {
			return nil, fmt.Errorf("capture: %w", err)
		}
		c.ids[p] = id
	}
	if c.out == nil {
		return nil, fmt.Errorf("capture: no port to write")
	}
	return c, nil
}

// Tap writes a packet whose transmission begins at one of the ports. Pass it to fabric.WithPortTap. Flush returns the
// first error.
func (c *Writer) Tap(ev *fabnet.PortEvent) {
	id, ok := c.ids[ev.Port]
	if !ok || ev.Kind != fabnet.PortDepart || c.err != nil {
		return
	}
	if c.err = c.frame(ev); c.err != nil {
		return
	}
	data := c.buf.Bytes()
	c.err = c.out.WritePacket(gopacket.CaptureInfo{
		Timestamp: time.Unix(0, int64(ev.Time/units.Nanosecond)).UTC(), CaptureLength: len(data), Length: len(data),
		InterfaceIndex: id,
	}, data)
}

// frame builds the Ethernet frame of a packet, without its check sequence.
func (c *Writer) frame(ev *fabnet.PortEvent) error {
	p := &ev.Packet
	to, pad := c.spec.UDPPort, 0
	if err := fits(p); err != nil {
		return err
	}
	if p.Kind == fabnet.PacketCNP {
		to, c.head = RoCEPort, notification(c.head[:0], p)
		c.head = append(c.head, 0, 0, 0, 0) // CRC
	} else {
		c.head = header(c.head[:0], p)
		pad = max(0, int(p.Size)-40-8-len(c.head))
	}
	if err := c.serialize(ev, to, pad); err != nil || p.Kind != fabnet.PacketCNP {
		return err
	}
	// The CRC covers the headers in front of it, and the UDP checksum, which it does not cover, covers the CRC.
	frame := c.buf.Bytes()
	copy(c.head[len(c.head)-4:], invariant(frame[14:len(frame)-4]))
	return c.serialize(ev, to, pad)
}

// serialize builds the frame of a packet from its headers and a number of zeros behind them.
func (c *Writer) serialize(ev *fabnet.PortEvent, to uint16, pad int) error {
	p, port := &ev.Packet, &c.net.Ports[ev.Port]
	ip := layers.IPv4{
		Version: 4, TOS: c.spec.trafficClass(p), Flags: layers.IPv4DontFragment, TTL: 64, Protocol: layers.IPProtocolUDP,
		SrcIP: fabnet.Address(p.Src).AsSlice(), DstIP: fabnet.Address(p.Dst).AsSlice(),
	}
	udp := layers.UDP{SrcPort: layers.UDPPort(SourcePort(p.Entropy)), DstPort: layers.UDPPort(to)}
	if err := udp.SetNetworkLayerForChecksum(&ip); err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return gopacket.SerializeLayers(c.buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&layers.Ethernet{SrcMAC: mac(port.From), DstMAC: mac(port.To), EthernetType: layers.EthernetTypeIPv4},
		&ip, &udp, gopacket.Payload(c.head), gopacket.Payload(c.zeros[:pad]))
}

func mac(node int32) net.HardwareAddr {
	a := fabnet.MAC(node)
	return a[:]
}

// Flush writes all buffered data and returns the first error of the writer.
func (c *Writer) Flush() error {
	if c.err == nil {
		c.err = c.out.Flush()
	}
	if c.err != nil {
		return fmt.Errorf("capture: %w", c.err)
	}
	return nil
}

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

// fits returns an error when an ACK has a PSN too far from the cumulative one for its field of 16 bits.
func fits(p *fabnet.PacketInfo) error {
	if p.Kind != fabnet.PacketAck {
		return nil
	}
	for i, psn := range [...]uint32{p.PSN, p.SackBase} {
		probe := i == 0 && p.Probe // its field is the probe's number
		if far := int32(psn - (p.CumPSN - 1)); !probe && far != int32(int16(far)) {
			return fmt.Errorf("ACK of connection %d: its %s is %d from the cumulative PSN, and the field holds "+
				"-32768 to 32767: use a larger mtu or a smaller window", p.Conn, [...]string{"PSN", "bitmap"}[i], far)
		}
	}
	return nil
}

// controls are the types of control packets.
var controls = map[fabnet.PacketKind]uint64{fabnet.PacketProbe: controlProbe, fabnet.PacketAckReq: controlAckReq,
	fabnet.PacketClose: controlClose, fabnet.PacketCreditReq: controlCreditReq}

// header appends the headers of a packet behind UDP to dst: the PDS header and, where the packet has one, the INT
// header with its entries. The packet is no CNP.
func header(dst []byte, p *fabnet.PacketInfo) []byte {
	pdc := uint64(p.Conn%65535) + 1
	to := pdc
	if p.Syn {
		to = uint64(binary.BigEndian.Uint16(openingHeader.encode(nil, 0, uint64(p.PSNOffset))))
	}
	psn, m, retx, ar, syn := uint64(p.PSN), when(p.CE), when(p.Retx), when(p.AckReq), when(p.Syn)
	switch p.Kind {
	case fabnet.PacketAck:
		cum := p.CumPSN - 1 // the greatest PSN up to which all packets have arrived
		offset := p.PSN - cum
		if p.Probe {
			offset = p.PSN
		}
		dst = ackHeader.encode(dst, TypeACKCC, 0, 0, m, retx, when(p.Probe), 0, 0, uint64(uint16(offset)), uint64(cum),
			pdc, pdc, 0, 0, uint64(p.MPR), uint64(uint16(p.SackBase-cum)), p.Sack, uint64(p.ServiceTime), when(p.Restore),
			uint64(p.CwndPend&127), uint64(p.RcvdBytes&(1<<24-1)), uint64(p.OOO))
		return telemetry(dst, p)
	case fabnet.PacketNack:
		return nackHeader.encode(dst, TypeNACK, 0, 0, m, retx, 0, 0, uint64(p.Reason), 0, psn, pdc, pdc, 0)
	case fabnet.PacketCredit:
		return controlHeader.encode(dst, TypeControl, controlCredit, 0, 0, retx, 0, 0, 0, 0, 0, pdc, pdc, uint64(p.Credit))
	case fabnet.PacketProbe, fabnet.PacketAckReq, fabnet.PacketClose, fabnet.PacketCreditReq:
		opaque := uint64(0)
		if p.Kind == fabnet.PacketProbe {
			opaque = uint64(uint16(p.PSN))
		}
		return controlHeader.encode(dst, TypeControl, controls[p.Kind], 0, 0, retx, 1, syn, 0, opaque, psn, pdc, to,
			uint64(p.Credit))
	}
	dst = requestHeader.encode(dst, TypeRUDCCReq, 0, 0, retx, ar, syn, 0, 0, psn, pdc, to, uint64(p.CCC&255),
		uint64(p.Credit))
	return telemetry(dst, p)
}

// telemetry appends the INT header of a packet that has one. A trimmed packet has lost it with its payload.
func telemetry(dst []byte, p *fabnet.PacketInfo) []byte {
	if p.INT == nil || p.Trimmed {
		return dst
	}
	dst = intHeader.encode(dst, INTMagic, uint64(len(p.INT)), fabnet.INTHops, intVersion, intWords,
		^uint64(fabnet.INTHops)&255, uint64(p.Flows))
	for _, w := range p.INT {
		r := fabnet.UnpackINT(w)
		dst = intEntry.encode(dst, uint64(r.Rate), uint64(r.TS), uint64(r.TxBytes), uint64(r.QLen))
	}
	return dst
}

// notification appends a CNP, without its CRC. It goes to the sender of the connection.
func notification(dst []byte, p *fabnet.PacketInfo) []byte {
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
