package traffic

import (
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// DSCP of data, of control and of data that was trimmed on the way, as fabricFrame writes them.
const dscpData, dscpControl, dscpTrimmed, dscpLasthop = 8, 46, 16, 18

// Frame is the frame of a packet of the fabric: its lengths are those of the simulation, its bytes ours.
// ACKs and requests carry an INT header, which a trimmed packet has lost.
func Frame(r *stim.Rand, e *PortEvent) frame.Frame {
	k := e.Packet
	f := frame.Good(0, k.Flow%2 == 1, 0)
	f.UET, f.TOS = 2, dscpData<<2|2
	f.SrcPort = k.Entropy
	switch {
	case k.Kind == net.PacketAck:
		f.UET, f.TOS = 8, dscpControl<<2
	case k.Kind == net.PacketNack:
		f.UET, f.TOS = 9, dscpControl<<2
	case k.Kind == net.PacketAckReq:
		f.UET, f.TOS = 11, dscpControl<<2
	case k.Trimmed && !e.Cut && k.LastHop:
		f.TOS = dscpLasthop<<2 | 2
	case k.Trimmed && !e.Cut:
		f.TOS = dscpTrimmed<<2 | 2
	}
	f.Body = frame.HeaderLen(f.UET)
	size := e.Size
	if e.Cut {
		size = int(k.Nominal) // the port that cuts it has it whole
	}
	if !k.Trimmed || e.Cut {
		f.WithTelemetry(r, int(k.PSN%3), 5)
	}
	f.Sized(size)
	return f
}
