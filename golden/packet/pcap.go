package packet

import (
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Pcap writes frames into a capture file with time stamps in nanoseconds.
type Pcap struct{ w *pcapgo.Writer }

// maxFrame is the longest frame that a capture holds whole, in bytes.
const maxFrame = 1 << 18

// NewPcap writes the file header and returns the writer.
func NewPcap(w io.Writer) (*Pcap, error) {
	p := &Pcap{pcapgo.NewWriterNanos(w)}
	if err := p.w.WriteFileHeader(maxFrame, layers.LinkTypeEthernet); err != nil {
		return nil, fmt.Errorf("pcap header: %w", err)
	}
	return p, nil
}

// Write appends a frame, without FCS, at a time in nanoseconds since the start of the capture.
func (p *Pcap) Write(frame []byte, ns int64) error {
	info := gopacket.CaptureInfo{Timestamp: time.Unix(0, ns).UTC(), CaptureLength: len(frame), Length: len(frame)}
	if err := p.w.WritePacket(info, frame); err != nil {
		return fmt.Errorf("pcap frame of %d bytes: %w", len(frame), err)
	}
	return nil
}
