package pcap

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Prefix is the beginning of a source's name, before the file.
const Prefix = "pcap:"

// perEpisode is the number of frames of an episode.
const perEpisode = 256

// maxGap is the longest wait between two frames, in cycles. Longer ones are shortened.
const maxGap = 1<<16 - 1

// maxFrame is the longest frame that is played, in bytes: that of an IP packet of 65,535 bytes with two tags.
const maxFrame = 65535 + 22

// Sources returns the source of captures of a block. send appends a frame to a script; end ends an episode, with reads
// that show what became of frames that nothing answered.
func Sources(b *event.Block, send func(s *stim.Script, frame []byte), end func(s *stim.Script)) []stim.Entry {
	return []stim.Entry{{
		Name: Prefix, Part: "FILE",
		About: "the Ethernet frames of a capture (pcap, pcapng); FILE?gaps keeps their time stamps, 1 ns a cycle; " +
			"FILE?from=ADDR and FILE?to=ADDR select frames by an address",
		Open: func(o *stim.Options, part string) (stim.Source, error) {
			c, err := open(part)
			if err != nil {
				return nil, fmt.Errorf("source %s%s: %w", Prefix, part, err)
			}
			return &source{stim.Passages(b, o, Prefix+part, func(s *stim.Script) (bool, error) {
				more, err := c.write(s, send)
				if err == nil && s.Used > 0 {
					end(s)
				}
				if err != nil {
					err = fmt.Errorf("source %s%s: %w", Prefix, part, err)
				}
				return more, err
			}), c}, nil
		},
	}}
}

// source closes the file with the source.
type source struct {
	stim.Source
	c *capture
}

func (s *source) Close() { s.c.file.Close() }

// capture is an open file and what to play of it.
type capture struct {
	file     *os.File
	read     func() ([]byte, gopacket.CaptureInfo, error)
	gaps     bool
	from, to []byte // address bytes; nil: any
	frames   int    // read
	played   int
	last     time.Time // of the frame played last
}

// open opens the file of a source's name. It errors when the file or a condition is not valid.
func open(name string) (*capture, error) {
	path, conditions, _ := strings.Cut(name, "?")
	c := &capture{}
	for cond := range strings.SplitSeq(conditions, "&") {
		key, value, _ := strings.Cut(cond, "=")
		var err error
		switch {
		case cond == "":
		case cond == "gaps":
			c.gaps = true
		case key == "from":
			c.from, err = address(value)
		case key == "to":
			c.to, err = address(value)
		default:
			err = fmt.Errorf("condition %q: unknown; known: gaps, from=ADDR, to=ADDR", cond)
		}
		if err != nil {
			return nil, err
		}
	}
	if path == "" {
		return nil, errors.New("no file is named; write pcap:FILE")
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	c.file = file
	if err := c.begin(); err != nil {
		file.Close()
		return nil, err
	}
	return c, nil
}

// begin reads the header of the file.
func (c *capture) begin() error {
	in := bufio.NewReaderSize(c.file, 1<<20)
	magic, err := in.Peek(4)
	if err != nil {
		return fmt.Errorf("the file has %d bytes: it is not a capture", len(magic))
	}
	var link layers.LinkType
	if binary.LittleEndian.Uint32(magic) == 0x0a0d0d0a {
		options := pcapgo.DefaultNgReaderOptions
		options.ErrorOnMismatchingLinkType = true // else the frames of such an interface are passed over
		r, err := pcapgo.NewNgReader(in, options)
		if err != nil {
			return fmt.Errorf("pcapng header: %w", err)
		}
		c.read, link = r.ReadPacketData, r.LinkType()
	} else {
		if head, err := in.Peek(24); err == nil && fcs(head) {
			return errors.New("its frames end with an FCS; capture without, or cut it off (editcap -C -4)")
		}
		r, err := pcapgo.NewReader(in)
		if err != nil {
			return fmt.Errorf("it is neither pcap nor pcapng: %w", err)
		}
		c.read, link = r.ReadPacketData, r.LinkType()
	}
	if link != layers.LinkTypeEthernet {
		return fmt.Errorf("link type %s: only captures of Ethernet can be played", link)
	}
	return nil
}

// fcs reports whether the header of a pcap file declares that frames end with a frame check sequence.
func fcs(head []byte) bool {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		magic, link := order.Uint32(head), order.Uint32(head[20:])
		if (magic == 0xa1b2c3d4 || magic == 0xa1b23c4d) && link>>26&1 != 0 && link>>28 != 0 {
			return true
		}
	}
	return false
}

// address returns the bytes of a MAC or an IP address.
func address(text string) ([]byte, error) {
	if ip, err := netip.ParseAddr(text); err == nil {
		return ip.AsSlice(), nil
	}
	if mac, err := net.ParseMAC(text); err == nil && len(mac) == 6 {
		return mac, nil
	}
	return nil, fmt.Errorf("address %q: want a MAC, IPv4 or IPv6 address", text)
}

// write writes the next frames as an episode.
func (c *capture) write(s *stim.Script, send func(s *stim.Script, frame []byte)) (more bool, err error) {
	for n := 0; n < perEpisode; {
		data, info, err := c.read()
		switch {
		case err == io.EOF && info.CaptureLength > 0:
			return false, fmt.Errorf("after frame %d: the capture is damaged: the bytes of the next frame are missing", c.frames)
		case err == io.EOF && c.frames == 0:
			return false, errors.New("the capture holds no frame")
		case err == io.EOF && c.played == 0:
			return false, fmt.Errorf("none of %d frames has the addresses of the conditions", c.frames)
		case err == io.EOF:
			return false, nil
		case errors.Is(err, pcapgo.ErrNgLinkTypeMismatch):
			return false, fmt.Errorf("after frame %d: link type of another interface: only captures of Ethernet alone can "+
				"be played", c.frames)
		case err != nil:
			return false, fmt.Errorf("after frame %d: the capture is damaged: %w", c.frames, err)
		}
		c.frames++
		switch {
		case len(data) < info.Length:
			return false, fmt.Errorf("frame %d: only %d of its %d bytes were captured; capture whole frames (tcpdump -s 0)",
				c.frames, len(data), info.Length)
		case len(data) == 0 || len(data) > maxFrame:
			return false, fmt.Errorf("frame %d: %d bytes; want 1 to %d", c.frames, len(data), maxFrame)
		}
		if !c.wanted(data) {
			continue
		}
		first := s.Used
		send(s, data)
		if c.gaps && c.played > 0 && n > 0 {
			wait := min(max(info.Timestamp.Sub(c.last), 0), maxGap)
			s.Items[first].Gap = uint16(wait)
		}
		c.last = info.Timestamp
		c.played++
		n++
	}
	return true, nil
}

// wanted reports whether a frame has the addresses that are asked for.
func (c *capture) wanted(frame []byte) bool {
	return has(frame, c.from, 6, 12, 8) && has(frame, c.to, 0, 16, 24)
}

// has reports whether a frame has an address at the place of its kind: in the Ethernet, the IPv4 or the IPv6 header. A
// nil address is in every frame.
func has(frame, addr []byte, mac, v4, v6 int) bool {
	at, l2, kind := mac, 14, uint16(0)
	if addr == nil {
		return true
	}
	if len(addr) != 6 {
		for len(frame) >= l2 {
			if kind = binary.BigEndian.Uint16(frame[l2-2:]); kind != 0x8100 && kind != 0x88a8 {
				break
			}
			l2 += 4
		}
		switch at = l2 + v4; {
		case len(addr) == 4 && kind == 0x0800:
		case len(addr) == 16 && kind == 0x86dd:
			at = l2 + v6
		default:
			return false
		}
	}
	return len(frame) >= at+len(addr) && bytes.Equal(frame[at:at+len(addr)], addr)
}
