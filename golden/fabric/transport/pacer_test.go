package transport

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// early is a pacer by the rules of rccc whose Due lies up to a while before its pulls.
type early struct {
	rulePacer
	while units.Picos
}

func (p *early) Due() units.Picos { return p.due - min(p.while, max(p.due, 0)) }

func (p *early) Pull(now units.Picos) (int32, rccc.Number, bool) {
	if now < p.due {
		p.while = 0
		return 0, 0, false
	}
	p.while = units.Microsecond
	return p.rulePacer.Pull(now)
}

// given returns pacers that follow the rules at a share of the link's rate, and what they were made for.
func given(share int64) (func(*Options), *[]PacerSpec) {
	made := &[]PacerSpec{}
	return func(o *Options) {
		o.Pacers = func(s PacerSpec) (Pacer, error) {
			*made = append(*made, s)
			s.PerByte.Num *= share
			n := rccc.NewSender(0, s.MaxWnd)
			all := make([]rccc.Sender, 16)
			for i := range all {
				all[i] = n
				all[i].ID = int32(i)
			}
			return &early{rulePacer{rule: rccc.NewPacer(s.PerByte), senders: all, due: never}, units.Microsecond}, nil
		}
	}, made
}

// TestGivenPacers: a pacer that is given grants what the network gets. It may be asked before it has a pull, without
// a change; one at half the rate makes the incast take twice as long.
func TestGivenPacers(t *testing.T) {
	s := small(settings.Incast)
	s.K, s.Incast, s.CC, s.ECNLastHop, s.FlowBytes = 4, 8, "rccc", false, 4_000_000
	want := verified(t, s)
	same, made := given(1)
	got := verified(t, s, same)
	require.Len(t, *made, 1)
	require.Equal(t, []string{"rccc"}, (*made)[0].Controls)
	require.Zero(t, (*made)[0].Host)
	require.Positive(t, (*made)[0].MaxWnd)
	require.Equal(t, want.Digest, got.Digest)
	require.Equal(t, want.Counters.Credits, got.Counters.Credits)
	half, _ := given(2)
	require.InEpsilon(t, 2*want.FCT().Max, verified(t, s, half).FCT().Max, 0.15)
}

// TestGivenPacersAreRefused: an error of theirs ends the run, and they do not go with pods. Runs without credit make
// none, and those that are nil leave the rule.
func TestGivenPacersAreRefused(t *testing.T) {
	s := small(settings.Permutation)
	s.CC = "rccc"
	fails := func(p Pacer, err error) Option {
		return func(o *Options) { o.Pacers = func(PacerSpec) (Pacer, error) { return p, err } }
	}
	_, err := Run(t.Context(), s, fails(nil, errors.New("no clock")))
	require.ErrorContains(t, err, ": no clock")
	require.Equal(t, run(t, s).Digest, run(t, s, fails(nil, nil)).Digest)
	s.Pods = true
	_, err = Run(t.Context(), s, fails(&rulePacer{}, nil))
	require.ErrorContains(t, err, "pods = on: a program's own pacers")
	s.Pods, s.CC = false, "nscc"
	run(t, s, fails(nil, errors.New("not asked")))
}
