package fabric

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
)

func TestTrace(t *testing.T) {
	p, err := presets.Lookup("htsim/permutation-400g")
	require.NoError(t, err)
	set := "link.latency_us=1 cc=rccc queue.bytes=626650 queue.ctl_bytes=1253300 ecn.kmin_bytes=128650 ecn.kmax_bytes=502150 rto.us=90.198 ecn.last_hop=off"
	for _, kv := range strings.Fields(set) {
		k, v, _ := strings.Cut(kv, "=")
		require.NoError(t, p.Spec.Set(k, v))
	}
	last := map[int32]uint32{}
	run(t, p.Spec, WithTap(func(ev *cc.Event) bool {
		if ev.NIC == 5 && (ev.Kind == cc.KindCredit || ev.Kind == cc.KindSend || ev.Kind == cc.KindAck) {
			d := ev.Credit - last[0]
			if ev.Kind == cc.KindCredit {
				last[0] = ev.Credit
			} else {
				d = 0
			}
			fmt.Printf("%.3f %v psn %d credit +%d target %d act %s ar %v m %v\n", ev.Time.Micros(), ev.Kind, ev.PSN, d, ev.Out.Target-last[0], ev.Out.Action, ev.Out.AckReq, ev.M)
		}
		return true
	}))
}
