package result

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
)

// TestBackgroundIsNotMeasured: flows in the background count as flows, and in no figure but their own group's.
func TestBackgroundIsNotMeasured(t *testing.T) {
	us := units.Microsecond
	r := &Result{Flows: []FlowResult{
		{Bytes: 1000, Start: 0, Acked: 10 * us, Ideal: us},
		{Bytes: 1000, Start: 0, Acked: 30 * us, Ideal: us, CC: "swift"},
		{Bytes: 90000, Start: 0, Acked: 900 * us, Ideal: us, Background: true},
		{Bytes: 10, Start: 0, Acked: -1, Ideal: us, Background: true},
	}}
	s := Summarise(0, r)
	require.Equal(t, 4, s.Flows)
	require.Equal(t, 3, s.Done)
	require.Len(t, s.Unfinished, 1)
	require.Equal(t, FCT{Flows: 2, Mean: 20, P50: 10, P99: 30, Max: 30}, s.FCT)
	require.Equal(t, s.FCT, r.FCT())
	require.EqualValues(t, 30, s.CCT)
	require.Len(t, s.Slowdown, 1)
	require.Equal(t, []Group{
		{Bytes: 1000, Spread: Spread{Flows: 1, Mean: 10, P50: 10, P99: 10, Max: 10}},
		{CC: "swift", Bytes: 1000, Spread: Spread{Flows: 1, Mean: 30, P50: 30, P99: 30, Max: 30}},
		{Background: true, Bytes: 100000, Spread: Spread{Flows: 1, Mean: 900, P50: 900, P99: 900, Max: 900}},
	}, s.Groups)
	require.Nil(t, s.Error)
	require.Nil(t, Summarise(0, &Result{Flows: r.Flows[:1]}).Groups)
}

// TestStandardError by hand: 10 and 20 have the mean 15 and the error 5.
func TestStandardError(t *testing.T) {
	us := units.Microsecond
	a := &Result{Flows: []FlowResult{{Bytes: 1000, Acked: 10 * us, Ideal: us}}}
	b := &Result{Flows: []FlowResult{{Bytes: 1000, Acked: 20 * us, Ideal: us}}}
	e := Summarise(0, a, b).Error
	require.Equal(t, 2, e.Seeds)
	require.InDelta(t, 15, e.Mean.Mean, 1e-9)
	require.InDelta(t, 5, e.Mean.Error, 1e-9)
	require.InDelta(t, 5, e.CCT.Error, 1e-9)
	require.Nil(t, Summarise(0, a, &Result{Flows: []FlowResult{{Acked: -1}}}).Error, "one of two runs finished nothing")
}
