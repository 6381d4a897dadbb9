package ccc

import (
	"fmt"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// StateOf fills words with the state words of the context that an event names, after the events issued so far, as READ
// gives them; the word of last_rcvd is that of the event's slot. It returns "" for an event without a context.
func (m *Model) StateOf(_ int, in, words []uint64) string {
	var ev port.Event
	port.UnpackEvent(in, &ev)
	st := m.row(ev.Ctx)
	if st == nil || ev.Kind == port.KindCfgWrite || ev.Kind == port.KindCfgRead {
		return ""
	}
	slot := min(ev.PDC, m.cfg.numPdcs-1)
	for addr := range words {
		words[addr] = st.Word(addr, slot)
	}
	if !st.Valid {
		return fmt.Sprintf("ctx=%d, invalid", ev.Ctx)
	}
	return fmt.Sprintf("ctx=%d", ev.Ctx)
}
