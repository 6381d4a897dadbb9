package fabric

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// DSCP of data, of control packets, of trimmed data and of data trimmed at the last hop, as Frame writes them.
const DSCPData, DSCPControl, DSCPTrimmed, DSCPLasthop = 8, 46, 16, 18

// Frame returns the frame of a packet of the fabric: its lengths come from the simulation, its bytes are drawn. Every
// frame carries an INT header, except a packet that an earlier port trimmed.
func Frame(r *stim.Rand, e *PortEvent) frame.Frame {
	f := frame.Good(0, e.Flow%2 == 1, 0)
	f.UET, f.TOS = 2, DSCPData<<2|2
	f.SrcPort = e.Entropy
	switch {
	case e.Packet == net.PacketAck:
		f.UET, f.TOS = frame.AckCC, DSCPControl<<2
	case e.Packet == net.PacketNack:
		f.UET, f.TOS = frame.Nack, DSCPControl<<2
	case e.Packet == net.PacketAckReq, e.Packet == net.PacketClose:
		f.UET, f.TOS = frame.Control, DSCPControl<<2
	case e.Trimmed && !e.Cut && e.TrimmedAtLast:
		f.TOS = DSCPLasthop<<2 | 2
	case e.Trimmed && !e.Cut:
		f.TOS = DSCPTrimmed<<2 | 2
	}
	f.Body = frame.HeaderLen(f.UET)
	size := int(e.Size)
	if e.Cut {
		size = int(e.Nominal) // the port that cuts the packet gets it whole
	}
	if !e.Trimmed || e.Cut {
		f.WithTelemetry(r, int(e.PSN%3), 5)
	}
	f.Sized(size)
	return f
}
