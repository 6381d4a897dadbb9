package report

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDigits(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 0.00012345: "0.000123", 1.5: "1.5", 12: "12", 123.4: "123", 999.4: "999", 999.5: "1000", 999.7: "1000",
		1024: "1024", 4121: "4121", -4121: "-4121", 123456: "123456", 999_999: "999999", 999_999.7: "1e+06",
		1_234_567: "1.23e+06",
	} {
		require.Equal(t, want, Digits(x), "%v", x)
	}
}

// A value beyond its bound never reads as the bound itself.
func TestExcessTellsValueAndBoundApart(t *testing.T) {
	for _, c := range []struct {
		m    Metric
		want string
	}{
		{Metric{What: "longest stall", Value: 4121, Bound: AtMost(1024)}, "longest stall 4121 exceeds 1024"},
		{Metric{What: "error", Value: 0.10004, Bound: AtMost(0.1)}, "error 0.10004 exceeds 0.1"},
		{Metric{What: "cycles", Value: 1024.25, Bound: AtMost(1024)}, "cycles 1024.25 exceeds 1024"},
		{Metric{What: "bytes", Value: 2_000_001, Bound: AtMost(2_000_000)}, "bytes 2.000001e+06 exceeds 2e+06"},
		{Metric{What: "ratio", Value: 0.8996, Bound: AtLeast(0.9)}, "ratio 0.8996 is less than 0.9"},
		{Metric{Name: "near", Value: 2, Bound: AtMost(1)}, "near 2 exceeds 1"},
	} {
		require.Equal(t, c.want, c.m.excess())
	}
}

// A shell reads a command back word by word, including spaces and quotes in a path.
func TestCommandLine(t *testing.T) {
	require.Equal(t, "goldwire cosim --rtl 'a b/rtl' --corpus 'it'\\''s'", CommandLine([]string{"goldwire", "cosim",
		"--rtl", "a b/rtl", "--corpus", "it's"}))
	require.Equal(t, "''", Quoted(""))
}
