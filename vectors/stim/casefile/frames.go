package casefile

import (
	"encoding/hex"
	"strings"

	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// sent is a frame with its bytes.
type sent struct {
	frame.Frame
	data []byte
}

// uetTypes maps the names in a frame's description to UET types.
var uetTypes = map[string]uint8{"rud_req": 2, "rod_req": 3, "ack": 7, "ack_cc": 8, "rud_cc_req": 13, "rod_cc_req": 14}

// frame makes the frame that the words between brackets describe. Words act from left to right: a size counts what
// precedes it.
func (w *writer) frame(spec string, scope func(string) (string, bool)) (f sent) {
	spec = strings.Trim(spec, "[] ")
	words := strings.Fields(spec)
	if len(words) == 0 {
		fail("frame: want its family first")
	}
	for i, fam := range frame.Families {
		if fam.Name == words[0] {
			f.Frame = frame.Good(fam.Tags, fam.V6, fam.Options)
			break
		} else if i == len(frame.Families)-1 {
			fail("frame: no family %q", words[0])
		}
	}
	hops := -1
	for _, x := range words[1:] {
		if uet, ok := uetTypes[x]; ok {
			f.UET = uet
			continue
		}
		if set := frameFlags[x]; set != nil {
			set(&f.Frame)
			continue
		}
		name, text, _ := strings.Cut(x, "=")
		if name == "pds" {
			head := pdsBytes(text)
			f.PDS, f.UET, f.Body = head, head[0]>>3, len(head)
			continue
		}
		v, err := number(text, scope)
		if err != nil {
			fail("frame: %q: %w", x, err)
		}
		switch set := frameNumbers[name]; {
		case name == "hops":
			hops = int(v)
		case name == "room" && hops >= 0:
			f.Body = frame.HeaderLen(f.UET)
			f.WithTelemetry(&w.s.Rand, hops, int(v))
		case set != nil:
			set(&f.Frame, int(int64(v)))
		default:
			fail("frame: %q: no such word (room= follows hops=)", x)
		}
	}
	f.data = f.Bytes(&w.s.Rand, nil)
	return f
}

// pdsBytes reads the bytes of a PDS header.
func pdsBytes(text string) []byte {
	head, err := hex.DecodeString(strings.ReplaceAll(text, "_", ""))
	if err != nil || len(head) == 0 {
		fail("pds=%s: want the bytes of the header in hex", text)
	}
	return head
}

// frameFlags are the words without a value.
var frameFlags = map[string]func(f *frame.Frame){
	"ipv4":     func(f *frame.Frame) { f.V6 = false },
	"ipv6":     func(f *frame.Frame) { f.V6 = true },
	"no_sum":   func(f *frame.Frame) { f.NoSum = true },
	"bad_sum":  func(f *frame.Frame) { f.BadSum = true },
	"ones_sum": func(f *frame.Frame) { f.Ones = true },
	"bad_head": func(f *frame.Frame) { f.BadHead = true },
	"native":   func(f *frame.Frame) { f.Native, f.Proto = true, 253 },
}

// frameNumbers are the words with a value.
var frameNumbers = map[string]func(f *frame.Frame, v int){
	"uet":       func(f *frame.Frame, v int) { f.UET = uint8(v) },
	"size":      func(f *frame.Frame, v int) { f.Sized(v) },
	"body":      func(f *frame.Frame, v int) { f.Body = v },
	"pad":       func(f *frame.Frame, v int) { f.Pad = v },
	"cut":       func(f *frame.Frame, v int) { f.Cut = v },
	"tags":      func(f *frame.Frame, v int) { f.Tags = v },
	"tpid":      func(f *frame.Frame, v int) { f.TPID = uint16(v) },
	"inner":     func(f *frame.Frame, v int) { f.Inner = uint16(v) },
	"ethertype": func(f *frame.Frame, v int) { f.Raw, f.EtherType = true, uint16(v) },
	"tos":       func(f *frame.Frame, v int) { f.TOS = uint8(v) },
	"dscp":      func(f *frame.Frame, v int) { f.TOS = uint8(v<<2) | f.TOS&3 },
	"ecn":       func(f *frame.Frame, v int) { f.TOS = f.TOS&^3 | uint8(v&3) },
	"frag":      func(f *frame.Frame, v int) { f.Frag = uint16(v) },
	"proto":     func(f *frame.Frame, v int) { f.Proto = uint8(v) },
	"version":   func(f *frame.Frame, v int) { f.Version = uint8(v) },
	"ihl":       func(f *frame.Frame, v int) { f.IHL = uint8(v) },
	"from":      func(f *frame.Frame, v int) { f.From = uint32(v) },
	"src_port":  func(f *frame.Frame, v int) { f.SrcPort = uint16(v) },
	"dst_port":  func(f *frame.Frame, v int) { f.DstPort = uint16(v) },
	"ip_len":    func(f *frame.Frame, v int) { f.IPLen = v },
	"udp_len":   func(f *frame.Frame, v int) { f.UDPLen = v },
	"claim":     func(f *frame.Frame, v int) { f.Claim(v) },
	"magic":     func(f *frame.Frame, v int) { f.Tele.Magic = uint16(v) },
	"flip":      func(f *frame.Frame, v int) { f.Tele.Flip = uint16(v) },
	"hops_now":  func(f *frame.Frame, v int) { f.Tele.Hops = uint8(v) },
	"more":      func(f *frame.Frame, v int) { f.Body += v },
	"max_hops":  func(f *frame.Frame, v int) { f.Tele.Max = uint8(v) },
}
