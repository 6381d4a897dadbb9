package fabric

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/settings"
)

func TestPresetsAreValid(t *testing.T) {
	for _, p := range presets.Catalogue() {
		require.NoError(t, p.Spec.Validate(), p.Name)
	}
}

func TestValidateNamesTheField(t *testing.T) {
	for _, c := range []struct {
		field string
		edit  func(*settings.Spec)
	}{
		{"k", func(s *settings.Spec) { s.K = 7 }},
		{"oversub", func(s *settings.Spec) { s.Oversub = 3 }},
		{"oversub", func(s *settings.Spec) { s.Oversub = 0 }},
		{"link.gbps", func(s *settings.Spec) { s.LinkGbps = 0 }},
		{"link.gbps", func(s *settings.Spec) { s.LinkGbps = 106.2500001 }},
		{"tier1.gbps", func(s *settings.Spec) { s.TierGbps[0] = 0.5 }},
		{"flow.bytes", func(s *settings.Spec) { s.FlowBytes = 1<<40 + 1 }},
		{"link.latency_us", func(s *settings.Spec) { s.LinkLatency = 0 }},
		{"base_rtt.us", func(s *settings.Spec) { s.BaseRTT = -1 }},
		{"mtu", func(s *settings.Spec) { s.MTU = 100 }},
		{"header_bytes", func(s *settings.Spec) { s.HeaderBytes = 0 }},
		{"ctl_bytes", func(s *settings.Spec) { s.CtlBytes = 0 }},
		{"trim.bytes", func(s *settings.Spec) { s.TrimBytes = 4096 }},
		{"workload", func(s *settings.Spec) { s.Workload = "all" }},
		{"incast", func(s *settings.Spec) { s.Workload, s.Incast = settings.Incast, 128 }},
		{"flow.bytes", func(s *settings.Spec) { s.FlowBytes = 0 }},
		{"flow.rounds", func(s *settings.Spec) { s.Rounds = -1 }},
		{"nic.contexts", func(s *settings.Spec) { s.CCCsPerNIC = 0 }},
		{"nic.pdcs", func(s *settings.Spec) { s.PDCsPerCCC = 5 }},
		{"flow.start_spread_us", func(s *settings.Spec) { s.StartSpread = -1 }},
		{"paths", func(s *settings.Spec) { s.Paths = 48 }},
		{"queue.trim_at", func(s *settings.Spec) { s.TrimAt = 0 }},
		{"queue.trim_at", func(s *settings.Spec) { s.TrimAt = 0.001 }},
		{"queue.trim_at_last_hop", func(s *settings.Spec) { s.TrimAtLastHop = 0.001 }},
		{"queue.drop_at", func(s *settings.Spec) { s.Trim, s.DropAt = false, 0.001 }},
		{"queue.ctl_drop_at", func(s *settings.Spec) { s.CtlDropAt = 1e-6 }},
		{"ecn", func(s *settings.Spec) { s.ECN = "sometimes" }},
		{"ecn.kmin", func(s *settings.Spec) { s.KMin = -1 }},
		{"ecn.kmax", func(s *settings.Spec) { s.KMax = 0.1 }},
		{"ecn.kdet", func(s *settings.Spec) { s.KDet = -1 }},
		{"ack_trigger", func(s *settings.Spec) { s.AckTrigger = 0 }},
		{"service.us", func(s *settings.Spec) { s.ServiceTime = -1 }},
		{"service.jitter_us", func(s *settings.Spec) { s.ServiceJitter = -1 }},
		{"rto.us", func(s *settings.Spec) { s.RTO = -1 }},
		{"loss_prob", func(s *settings.Spec) { s.LossProb = 1 }},
		{"ctl_loss_prob", func(s *settings.Spec) { s.CtlLossProb = 1 }},
		{"dup_prob", func(s *settings.Spec) { s.DupProb = 1 }},
		{"dup_prob", func(s *settings.Spec) { s.PFC, s.DupProb = true, 0.1 }},
		{"reorder_prob", func(s *settings.Spec) { s.ReorderProb = -1 }},
		{"reorder_prob", func(s *settings.Spec) { s.PFC, s.ReorderProb = true, 0.1 }},
		{"reorder.us", func(s *settings.Spec) { s.ReorderBy = -1 }},
		{"slow_hosts", func(s *settings.Spec) { s.SlowHosts = 2 }},
		{"drain_share", func(s *settings.Spec) { s.DrainShare = 0 }},
		{"max_time.us", func(s *settings.Spec) { s.MaxTime = -1 }},
	} {
		s := settings.DefaultSpec()
		c.edit(&s)
		require.ErrorContains(t, s.Validate(), "fabric spec: "+c.field+" ", c.field)
		_, err := Run(context.Background(), s)
		require.Error(t, err)
	}
}

func TestFactoryErrorIsReported(t *testing.T) {
	_, err := Run(context.Background(), settings.DefaultSpec(), WithCC(cc.NSCC(func(s *nscc.Spec) { s.Gamma = 7 })))
	require.ErrorIs(t, err, nscc.ErrSpec)
	require.ErrorContains(t, err, "congestion control of host 0 context 0")
	broken := errors.New("no hardware")
	_, err = Run(context.Background(), settings.DefaultSpec(),
		WithCC(func(cc.Config) (cc.Control, error) { return nil, broken }))
	require.ErrorIs(t, err, broken)
}

// TestDefaultRoundTrip: the default network is the specification's 400G, 12 us.
func TestDefaultRoundTrip(t *testing.T) {
	require.InDelta(t, 12e6, float64(settings.DefaultSpec().RoundTrip()), 0.01e6)
}
