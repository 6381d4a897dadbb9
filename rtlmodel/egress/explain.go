package egress

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// StateOf fills words with the state words of the port and class that an event names, after the events issued so far,
// as READ gives them; for a grant, which names no class, those of the lowest. It returns "" for an event without a
// port.
func (m *Model) StateOf(lane int, in, words []uint64) string {
	p, c := 0, 0
	if lane == 0 {
		var ev port.Enq
		port.UnpackEnq(in, &ev)
		if ev.Kind == port.KindCfgWrite || ev.Kind == port.KindCfgRead {
			return ""
		}
		p, c = int(ev.Port), int(ev.Cls)
	} else {
		var ev port.Deq
		port.UnpackDeq(in, &ev)
		p = int(ev.Port)
	}
	if p >= m.spec.NumPorts || c >= port.Classes {
		return ""
	}
	w := m.queue.Words(p, c)
	for addr := range words {
		words[addr] = w.Word(addr)
	}
	return fmt.Sprintf("port=%d cls=%v", p, port.Cls(c))
}
