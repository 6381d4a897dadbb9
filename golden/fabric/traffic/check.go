package traffic

import (
	"errors"
	"fmt"

	"github.com/goldwire/goldwire/golden/fabric/lb"
)

// Check returns an error, which names the message, when one of a list cannot be sent among that many hosts; what is the
// name of the list.
func Check(what string, list []Message, hosts int) error {
	for i := range list {
		if err := check(list, i, hosts); err != nil {
			return fmt.Errorf("%s[%d] (%d -> %d): %w", what, i, list[i].Src, list[i].Dst, err)
		}
	}
	return nil
}

func check(list []Message, i, hosts int) error {
	m := &list[i]
	inside := func(h int32) bool { return h >= 0 && int(h) < hosts }
	switch {
	case !inside(m.Src) || !inside(m.Dst):
		return fmt.Errorf("src, dst: there are hosts 0 to %d", hosts-1)
	case m.Src == m.Dst:
		return errors.New("dst: a host does not send to itself")
	case m.Bytes < 1 || m.Bytes > 1<<40:
		return fmt.Errorf("bytes: %d bytes: want 1 to 2^40", m.Bytes)
	case m.Start < 0:
		return errors.New("the start lies before time 0")
	case m.Stop < 0 || m.Stop > 0 && m.Stop <= m.Start:
		return errors.New("stop: it lies before the start")
	case m.Stop > 0 && len(m.After) > 0:
		return errors.New("stop: a message that waits for others has none")
	case m.Conn < 0 || int(m.Conn) >= len(list):
		return fmt.Errorf("connection %d: want 0 to %d", m.Conn, len(list)-1)
	}
	if m.Stop > 0 {
		for k := range list {
			if k != i && list[k].Conn == m.Conn {
				return fmt.Errorf("stop: its connection is that of message %d, too; give it one of its own", k)
			}
		}
	}
	if m.LB != "" {
		if _, err := lb.Parse(m.LB); err != nil {
			return err
		}
	}
	for _, a := range m.After {
		if a < 0 || int(a) >= i {
			return fmt.Errorf("after: waits for %d, which is not an earlier one, counted from 0", a)
		}
	}
	return nil
}
