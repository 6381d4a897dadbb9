package settings

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc"
)

// TestRows: every setting has one row, which shows what it is, what it can be and its default, and
// whose limits the default spec keeps.
func TestRows(t *testing.T) {
	seen := map[string]bool{}
	d := DefaultSpec()
	for _, r := range All() {
		require.False(t, seen[r.Path], "%s twice", r.Path)
		seen[r.Path] = true
		require.NotEmpty(t, r.About, r.Path)
		require.NotEmpty(t, r.Values, r.Path)
		require.NotEmpty(t, r.Default, r.Path)
		require.Empty(t, r.broken, r.Path)
		require.NotNil(t, r.set, r.Path)
	}
	require.Len(t, seen, len(d.rows()))
	require.NoError(t, d.Validate())
}

// TestRowsReadWhatTheyShow: a row sets the default that it shows, and leaves every other setting as
// it was.
func TestRowsReadWhatTheyShow(t *testing.T) {
	show := func(s *Spec) map[string]string {
		out := map[string]string{}
		for _, r := range s.rows() {
			out[r.Path] = r.value
		}
		return out
	}
	for _, r := range All() {
		s := DefaultSpec()
		before := show(&s)
		if d := r.Default; d != "-" {
			require.NoError(t, s.Set(r.Path, d), "%s = %s", r.Path, d)
		}
		after := show(&s)
		if r.standin == "" {
			require.Equal(t, before[r.Path], after[r.Path], r.Path)
		}
		delete(before, r.Path)
		delete(after, r.Path)
		require.Equal(t, before, after, r.Path)
	}
}

// TestLimitsName: a value beyond a limit is refused by the path, the value and what it must be.
func TestLimitsName(t *testing.T) {
	for set, want := range map[string]string{
		"mtu=100":                    "fabric spec: mtu = 100: want from header_bytes + 64 to 65535",
		"ecn.pmax=2":                 "fabric spec: ecn.pmax = 2: want 0 (1) or from 0.000001 to 1",
		"incast=128 workload=incast": "fabric spec: incast = 128: want from 1 to 127, the hosts but one",
		"pfc=on pfc.xoff=100000":     "fabric spec: trim = on: want off with pfc = on: lossless queues trim nothing",
		"drr=-1,0,0":                 "fabric spec: drr = -1,0,0: want quanta from 0 to 2^20 bytes",
		"trim.rule=last":             "fabric spec: trim.rule = last: want arriving or either",
		"loss_prob=1":                "fabric spec: loss_prob = 1: want from 0 to below 1",
		"link.gbps=0.5": "fabric spec: link.gbps = 0.5: want from 1 to 100000, the range of the congestion controls, " +
			"in steps of 0.000001 (1 kb/s), such as 106.25, 400 or 3200",
		"tier2.gbps=106.2500001": "fabric spec: tier2.gbps = 106.2500001: want 0 (that of the host links) or from 1 to " +
			"100000, the range of the congestion controls, in steps of 0.000001 (1 kb/s), such as 106.25, 400 or 3200",
		"flow.bytes=2e12": "fabric spec: flow.bytes = 2000000000000: want from 1 to 2^40, so that 32 bits number its " +
			"packets of 256 bytes",
	} {
		s := DefaultSpec()
		for _, kv := range strings.Fields(set) {
			path, value, _ := strings.Cut(kv, "=")
			require.NoError(t, s.Set(path, value))
		}
		require.EqualError(t, s.Validate(), want)
	}
}

// TestProvide: what a control needs is set, by settings that do the same, and nothing else.
func TestProvide(t *testing.T) {
	bare := func() Spec {
		s := DefaultSpec()
		s.ECN, s.Trim, s.PDCsPerCCC = ECNOff, false, 2
		return s
	}
	for _, row := range append(cc.Rows(), cc.Row{Name: "x", Needs: cc.Needs{Trim: true, ECN: true, OneConnection: true}}) {
		s, same := bare(), bare()
		for _, c := range s.Provide(&row) {
			path, value, _ := strings.Cut(c, "=")
			require.NoError(t, same.Set(path, value), c)
		}
		require.Equal(t, same, s, row.Name)
		require.NoError(t, row.Check(s.Offers()), row.Name)
		require.Empty(t, s.Provide(&row), row.Name)
	}
}
