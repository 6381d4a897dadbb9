package effect

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/presets"
	"github.com/goldwire/goldwire/golden/fabric/traffic"
	"github.com/goldwire/goldwire/golden/fields"
	model "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

func incast(t *testing.T, bytes int64, set ...string) Spec {
	t.Helper()
	p, err := presets.Lookup("fattree128/incast32")
	require.NoError(t, err)
	s := Spec{Name: "fattree128/incast32", Fabric: p.Spec, Seeds: []uint64{1, 2, 3}, TickNs: 1, Table: ccc.Formats()}
	s.Fabric.FlowBytes = bytes
	for i := 0; i < len(set); i += 2 {
		require.NoError(t, s.Table.Set(set[i], set[i+1]))
	}
	return s
}

// onModel is a sender on the cycle-true model.
type onModel struct {
	cfg model.Config
	st  model.State
}

func (x *onModel) Step(ev *cc.Event) cc.Out {
	var e ccc.Event
	var rsp ccc.Response
	if fields.SampleEvent(ev.Time, ev.Sample, 0, 1000, &e) {
		model.Apply(&x.cfg, &x.st, &e, &rsp)
	}
	if err := fields.CCCEvent(ev, 0, 1000, &e); err != nil {
		panic(err)
	}
	model.Apply(&x.cfg, &x.st, &e, &rsp)
	return cc.Out{Cwnd: int64(rsp.Cwnd), Inflight: int64(rsp.Inflight), CanSend: rsp.CanSend, AckReq: rsp.AckRequest}
}

// At the contract's formats the senders are the cycle-true model, packet by packet, and neither float64 nor the senders
// at other formats.
func TestSendersAreTheModel(t *testing.T) {
	spec := incast(t, 1_000_000)
	got, err := one(t.Context(), &spec, ccc.Formats(), 5)
	require.NoError(t, err)
	s := spec.Fabric
	s.Seed, s.CC = 5, "model"
	create := func(cfg cc.Config) (cc.Control, error) {
		g, err := exact.Constants(fields.ContextSI(cfg, fields.NSCC, 1))
		x := &onModel{cfg: model.Spec{NumContexts: 1, NumPdcs: ccc.DefaultNumPdcs, NumProfiles: 1}.Config()}
		for a, v := range fields.RegisterFile(&g) {
			x.cfg.Write(0, uint8(a), v)
		}
		return x, err
	}
	want, err := fabric.Run(t.Context(), s, fabric.WithControl(cc.Row{Name: "model", New: create}))
	require.NoError(t, err)
	require.Equal(t, want.Digest, got.Digest)
	require.Equal(t, want.Counters, got.Counters)
	float, err := one(t.Context(), &spec, nil, 5)
	require.NoError(t, err)
	require.NotEqual(t, want.Digest, float.Digest)
	narrow := incast(t, 0, "ratio", "UQ1.2").Table
	other, err := one(t.Context(), &spec, narrow, 5)
	require.NoError(t, err)
	require.NotEqual(t, want.Digest, other.Digest)
}

// Formats that throttle the senders are seen; the contract's own make no third kind of sender.
func TestRun(t *testing.T) {
	res, err := Run(t.Context(), incast(t, 300_000, "cwnd", "UQ13.0"))
	require.NoError(t, err)
	require.Len(t, res.Arms, 3)
	require.Len(t, res.Pairs, 3)
	p := res.Pairs[2]
	require.Equal(t, Other, p.Of)
	require.Equal(t, Contract, p.Against)
	require.Zero(t, p.Equal)
	mean := p.Differences[0]
	require.True(t, mean.Seen, "%+v", mean)
	for i := range res.Seeds {
		require.NotEqual(t, res.Arms[1].Runs[i].Values[0], res.Arms[2].Runs[i].Values[0])
		require.Equal(t, res.Seeds[i], res.Arms[2].Runs[i].Seed)
	}
	require.Positive(t, res.Arms[0].Runs[0].Values[3], "a queue")
	require.Positive(t, res.Arms[0].Runs[0].Values[4], "retransmissions")
	var text, page, js bytes.Buffer
	require.NoError(t, res.WriteText(&text))
	require.Contains(t, text.String(), Other+" less "+Contract)
	require.Contains(t, text.String(), "differs")
	require.NoError(t, res.WriteHTML(&page))
	require.NoError(t, report.EncodeJSON(&js, res))

	res, err = Run(t.Context(), incast(t, 40_000))
	require.NoError(t, err)
	require.Len(t, res.Arms, 2)
	again, err := Run(t.Context(), incast(t, 40_000))
	require.NoError(t, err)
	require.Equal(t, res, again)
}

// What is not seen is said with what would have been.
func TestVerdicts(t *testing.T) {
	arm := func(name string, means ...float64) *Arm {
		a := &Arm{Name: name}
		for i, m := range means {
			a.Runs = append(a.Runs, Outcome{Seed: uint64(i), Values: []float64{m, 5, m, 0, 0}, digest: uint64(m)})
		}
		return a
	}
	res := &Result{figures: ofSenders}
	p := res.compare(arm("a", 100, 110, 120), arm("b", 103, 108, 121))
	d := p.Differences[0]
	require.Equal(t, "none seen", d.Verdict())
	require.InDelta(t, 2.0/3, d.Mean, 1e-9)
	require.InDelta(t, 3, d.Largest, 1e-9)
	require.Contains(t, p.unseen()[0], "mean completion time: no difference seen at this power (smallest difference that "+
		"would be seen: 7.79 us)")
	require.Equal(t, "equal", p.Differences[1].Verdict())
	require.Len(t, p.unseen(), 2)
	p = res.compare(arm("a", 100, 110, 120), arm("b", 103, 113.1, 122.9))
	require.Equal(t, "differs", p.Differences[0].Verdict())
	require.Zero(t, p.Equal)
}

func TestStudent(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.975, 1, 12.7062}, {0.975, 2, 4.30265}, {0.975, 4, 2.77645}, {0.975, 9, 2.26216}, {0.975, 99, 1.98422},
		{0.8, 1, 1.37638}, {0.8, 4, 0.940965}, {0.8, 1e4, 0.841657},
	} {
		require.InEpsilon(t, c.want, quantile(c.p, c.df), 1e-5, "%v", c)
	}
	// Mean 2, standard error 1 / sqrt(3).
	x := paired([]float64{1, 2, 3})
	require.InDelta(t, 2, x.mean, 1e-12)
	require.InDelta(t, 2-4.30265/1.7320508, x.lo, 1e-4)
	require.InDelta(t, 2+4.30265/1.7320508, x.hi, 1e-4)
	require.InDelta(t, (4.30265+1.06066)/1.7320508, x.smallest, 1e-4)
}

func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		edit func(*Spec)
		is   error
		want string
	}{
		{func(s *Spec) { s.Seeds = s.Seeds[:1] }, ErrSeeds, "a difference needs at least 2"},
		{func(s *Spec) { s.Seeds = nil }, ErrSeeds, "a difference needs at least 2"},
		{func(s *Spec) { s.Seeds = []uint64{4, 4} }, ErrSeeds, "runs the same way with seeds 4 and 4"},
		{func(s *Spec) { s.Fabric.CCHosts = map[int32]string{3: "nscc"} }, nil, "name a congestion control of their own"},
		{func(s *Spec) { s.Messages = []traffic.Message{{Src: 1, Dst: 2, Bytes: 9, CC: "fixed"}} }, nil, "of their own"},
		{func(s *Spec) { s.Fabric.LinkGbps = 0 }, nil, "link.gbps"},
		{func(s *Spec) { s.TickNs = 3 }, nil, "tick is 3000 ps"},
	} {
		spec := incast(t, 40_000)
		c.edit(&spec)
		_, err := Run(t.Context(), spec)
		require.ErrorContains(t, err, c.want)
		if c.is != nil {
			require.ErrorIs(t, err, c.is)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, incast(t, 40_000))
	require.ErrorIs(t, err, context.Canceled)
}

// An event that the block does not have ends the run with an error.
func TestFails(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	all := &senders{table: ccc.Formats(), tickNs: 1, cancel: cancel}
	x, err := all.create(cc.Config{LinkGbps: 400, BaseRTT: 8_000_000, MTU: 4096, QAGate: -1, AckTrigger: 65536})
	require.NoError(t, err)
	out := x.Step(&cc.Event{Kind: cc.KindOpen, Time: 1_000_000})
	require.NoError(t, all.err)
	require.True(t, out.CanSend)
	require.Positive(t, out.Cwnd)
	require.Zero(t, x.Step(&cc.Event{Kind: cc.KindTimer}))
	require.ErrorContains(t, all.err, "the ccc block has no such event")
	require.ErrorIs(t, context.Cause(ctx), all.err)
}
