package txpdc

func (m *Model) explain() { m.execute() }
