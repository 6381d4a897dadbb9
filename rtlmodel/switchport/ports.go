package switchport

import port "github.com/goldwire/goldwire/vectors/event/switchport"

// RxReady reports whether the block accepts a beat at rx in this cycle.
func (m *Model) RxReady() bool { return m.sweep == 0 && !m.rx.Full() }

// AcceptRx is a transfer at rx: the caller fills in the beat.
func (m *Model) AcceptRx() *port.Rx { return m.rx.Push() }

// GrantReady reports whether the block accepts a grant in this cycle.
func (m *Model) GrantReady() bool { return m.egress.DeqReady() }

// AcceptGrant is a transfer at grant: the caller fills it in. It is egress that takes it.
func (m *Model) AcceptGrant() *port.Grant { return (*port.Grant)(m.egress.AcceptDeq()) }

// CfgReady reports whether the block accepts an access in this cycle.
func (m *Model) CfgReady() bool { return m.sweep == 0 && !m.cfg.Full() }

// AcceptCfg is a transfer at cfg: the caller fills in the access.
func (m *Model) AcceptCfg() *port.Cfg { return m.cfg.Push() }

// Tx returns the beat at tx in this cycle, or nil. It stays until TakeTx and is valid until the next call.
func (m *Model) Tx() *port.Tx {
	x := m.intmd.Tx()
	if x == nil {
		return nil
	}
	m.tx = port.Tx{Data: x.Data, Keep: x.Keep, Last: x.Last, Port: x.OutPort, Inserted: x.Inserted, Hops: x.Hops}
	return &m.tx
}

// TakeTx is a transfer at tx.
func (m *Model) TakeTx() { m.intmd.TakeTx() }

// Note returns the note in this cycle, or nil.
func (m *Model) Note() *port.Note {
	if m.notes.Len() == 0 {
		return nil
	}
	return m.notes.Front()
}

// TakeNote is a transfer at note.
func (m *Model) TakeNote() { m.notes.Pop() }

// Gr returns the answer to a grant in this cycle, or nil.
func (m *Model) Gr() *port.Gr {
	if m.grs.Len() == 0 {
		return nil
	}
	return m.grs.Front()
}

// TakeGr is a transfer at gr.
func (m *Model) TakeGr() { m.grs.Pop() }
