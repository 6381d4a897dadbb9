package packet

import (
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Verdict holds what the library finds in a frame. Fields of absent layers are zero.
type Verdict struct {
	Err error // error of a layer up to UDP that does not parse

	Tags       []uint16 // VLAN identifiers, outermost first
	IPv4, IPv6 bool
	Fragment   bool // IPv4 or IPv6
	UDP        bool

	Class      uint8 // traffic class: DSCP and ECN
	HeaderSum  bool  // the IPv4 header checksum is correct; true for IPv6
	UDPSum     bool  // the UDP checksum is correct; true when it is 0
	NoUDPSum   bool  // the UDP checksum is 0
	Lengths    bool  // IP and UDP lengths agree with each other and fit the frame
	IPLen      int   // IPv4 total length or IPv6 payload length
	UDPLen     int
	Src, Dst   uint16 // UDP ports
	IPStart    int    // offset of the IP header
	UDPStart   int    // offset of the UDP header
	Payload    []byte // payload after the UDP header, up to the end of the IP packet
	FlowLabel  uint32
	HopOrTTL   uint8
	Identity   uint16 // IPv4
	Options    int    // bytes of IPv4 options
	Addresses  [2]string
	LayerNames []string
}

// Sound reports whether all headers parse and all lengths and checksums are correct.
func (v *Verdict) Sound() bool { return v.Err == nil && v.HeaderSum && v.UDPSum && v.Lengths }

// Fault names the first error of a frame, or returns "".
func (v *Verdict) Fault() string {
	switch {
	case v.Err != nil:
		return v.Err.Error()
	case !v.HeaderSum:
		return "a wrong IPv4 header checksum"
	case !v.Lengths:
		return "lengths that do not agree"
	case !v.UDPSum:
		return "a wrong UDP checksum"
	}
	return ""
}

// Judge parses a frame, without FCS, starting at its Ethernet header.
func Judge(frame []byte) (v Verdict) {
	v.HeaderSum, v.UDPSum, v.Lengths = true, true, true
	p := gopacket.NewPacket(frame, layers.LayerTypeEthernet,
		gopacket.DecodeOptions{NoCopy: true, DecodeStreamsAsDatagrams: true})
	at := 0
	var ip gopacket.NetworkLayer
	for _, l := range p.Layers() {
		v.LayerNames = append(v.LayerNames, l.LayerType().String())
		switch l := l.(type) {
		case *layers.Dot1Q:
			v.Tags = append(v.Tags, l.VLANIdentifier)
		case *layers.IPv4:
			if ip != nil {
				break // the inner layer of a tunnel
			}
			ip = l
			v.IPv4, v.IPStart, v.Class, v.IPLen = true, at, l.TOS, int(l.Length)
			v.Fragment = l.FragOffset != 0 || l.Flags&layers.IPv4MoreFragments != 0
			v.HopOrTTL, v.Identity, v.Options = l.TTL, l.Id, len(l.Contents)-20
			v.Addresses = [2]string{l.SrcIP.String(), l.DstIP.String()}
			err, res := l.VerifyChecksum()
			v.HeaderSum = err == nil && res.Valid
			v.Lengths = v.Lengths && v.IPLen >= len(l.Contents) && at+v.IPLen <= len(frame)
		case *layers.IPv6:
			if ip != nil {
				break
			}
			ip = l
			v.IPv6, v.IPStart, v.Class, v.IPLen = true, at, l.TrafficClass, int(l.Length)
			v.HopOrTTL, v.FlowLabel = l.HopLimit, l.FlowLabel
			v.Addresses = [2]string{l.SrcIP.String(), l.DstIP.String()}
			v.Lengths = v.Lengths && at+40+v.IPLen <= len(frame)
		case *layers.IPv6Fragment:
			v.Fragment = true
		case *layers.UDP:
			if v.UDP {
				break
			}
			v.UDP, v.UDPStart, v.UDPLen = true, at, int(l.Length)
			v.Src, v.Dst, v.Payload = uint16(l.SrcPort), uint16(l.DstPort), l.LayerPayload()
			v.NoUDPSum = l.Checksum == 0 && len(l.Contents) == 8 // else the header is cut
			if !v.NoUDPSum {
				_ = l.SetNetworkLayerForChecksum(ip)
				err, res := l.VerifyChecksum()
				// A checksum that computes to 0 is sent as 0xffff; the library leaves that to its caller.
				v.UDPSum = err == nil && (res.Valid || res.Correct == 0 && res.Actual == 0xffff)
			}
			carried := v.IPLen
			if v.IPv4 {
				carried -= at - v.IPStart
			}
			v.Lengths = v.Lengths && v.UDPLen == carried
		}
		at += len(l.LayerContents())
	}
	// Payload that the library decodes because of a well-known port is not checked.
	if e := p.ErrorLayer(); e != nil && !v.UDP {
		v.Err = fmt.Errorf("frame of %d bytes: %w", len(frame), e.Error())
	}
	return v
}
