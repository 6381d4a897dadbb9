package result

import (
	"fmt"
	"strings"
)

// SlowHosts are the hosts of one run whose memory drains slowly, and those of them that receive no flow, whose memory
// plays no part.
type SlowHosts struct {
	Seed  uint64  `json:"seed"`
	Hosts []int32 `json:"hosts"`
	Idle  []int32 `json:"idle"`
}

// String names the hosts, as in "3, 17 (17 receives nothing)".
func (s *SlowHosts) String() string {
	if len(s.Hosts) == 0 {
		return "none was drawn, so that slow_hosts has no effect"
	}
	list := func(hosts []int32) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(hosts), " ", ", "), "[]")
	}
	switch len(s.Idle) {
	case 0:
		return list(s.Hosts)
	case len(s.Hosts):
		return list(s.Hosts) + ": none of them receives anything, so that slow_hosts has no effect"
	case 1:
		return fmt.Sprintf("%s (%d receives nothing)", list(s.Hosts), s.Idle[0])
	}
	return fmt.Sprintf("%s (%s receive nothing)", list(s.Hosts), list(s.Idle))
}
