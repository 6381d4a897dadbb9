package gen

import (
	"github.com/goldwire/goldwire/golden/fabric"
)

// DSCP of data, of control and of data that was trimmed on the way, as fabricFrame writes them.
const dscpData, dscpControl, dscpTrimmed, dscpLasthop = 8, 46, 16, 18

// fabricFrame is the frame of a packet of the fabric: its lengths are those of the simulation, its bytes ours.
// ACKs and requests carry an INT header, which a trimmed packet has lost.
func fabricFrame(r *rng, e *portEvent) frame {
	k := e.packet
	f := goodFrame(0, k.Flow%2 == 1, 0)
	f.uet, f.tos = 2, dscpData<<2|2
	f.sport = k.Entropy
	switch {
	case k.Kind == fabric.PacketAck:
		f.uet, f.tos = 8, dscpControl<<2
	case k.Kind == fabric.PacketNack:
		f.uet, f.tos = 9, dscpControl<<2
	case k.Kind == fabric.PacketAckReq:
		f.uet, f.tos = 11, dscpControl<<2
	case k.Trimmed && !e.cut && k.LastHop:
		f.tos = dscpLasthop<<2 | 2
	case k.Trimmed && !e.cut:
		f.tos = dscpTrimmed<<2 | 2
	}
	f.body = uetHeader(f.uet)
	size := e.size
	if e.cut {
		size = int(k.Nominal) // whoever cuts it has it whole
	}
	if !k.Trimmed || e.cut {
		f.withTelemetry(r, int(k.PSN%3), 5)
	}
	f.sized(size)
	return f
}
