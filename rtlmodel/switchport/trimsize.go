package switchport

import (
	"github.com/goldwire/goldwire/rtlmodel/beats"
	"github.com/goldwire/goldwire/rtlmodel/trimmer"
	port "github.com/goldwire/goldwire/vectors/event/switchport"
	pt "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// headBeats is the number of beats of a packet that the trimmer's decision needs.
const headBeats = trimmer.HeadBytes / 64

// copies holds the writer's copies of the three registers that decide the trimmed length of a packet. The other
// registers of the configuration are not used.
type copies struct {
	now, next trimmer.Config
}

func (c *copies) reset() {
	c.next = trimmer.DefaultConfig()
	c.now = c.next
}

// tick is the clock edge.
func (c *copies) tick() { c.now = c.next }

// follow updates the copies with a cfg event that leaves for the trimmer in this cycle.
func (c *copies) follow(ev *port.Cfg) {
	if pt.Kind(ev.Kind) != pt.KindCfgWrite {
		return
	}
	switch ev.Addr {
	case pt.RegTrimSize, pt.RegMinSize:
		if ev.Data > pt.MaxTrim {
			return // refused by the trimmer
		}
	case pt.RegUdpPort:
	default:
		return
	}
	c.next[ev.Addr] = ev.Data & (1<<pt.RegInfo[ev.Addr].Width - 1)
}

// trimSize returns the trimmed length of a packet of n bytes in a slot, or 0 if it cannot be trimmed.
func (m *Model) trimSize(slot, n int) uint16 {
	var head [trimmer.HeadBytes]byte
	a := min(n, len(head))
	for i := 0; 64*i < a; i++ {
		beats.Get(&m.buffer.beat(slot, i).data, head[64*i:])
	}
	m.why.sized(&m.writer.cfg, head[:a], n)
	size, _ := trimmer.Size(&m.writer.cfg, head[:a], n)
	return uint16(size)
}
