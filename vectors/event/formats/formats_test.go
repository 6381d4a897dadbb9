package formats_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

const cwnd = "{name: cwnd, kind: state, bits: 32, format: UQ32.0, round: none, over: none}"

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "the file is empty"},
		{"no values", "block: ccc\n", "no values"},
		{"other block", "block: egress\nvalues: [" + cwnd + "]\n", `block "egress": the schema is that of ccc`},
		{"unknown key of the file", "block: ccc\nvalue: []\n", `line 2: unknown key "value"`},
		{"unknown key of a value", "block: ccc\nvalues:\n  - {name: cwnd, width: 32}\n", `line 3: unknown key "width"`},
		{"a list is no value", "block: ccc\nvalues: [cwnd]\n", "line 2: give one value as"},
		{"two documents", "block: ccc\nvalues: [" + cwnd + "]\n---\nblock: ccc\n", "more than one document"},
		{"no name", "block: ccc\nvalues: [{kind: state}]\n", "no name"},
		{"unknown kind", "block: ccc\nvalues: [{name: cwnd, kind: word}]\n",
			`kind "word": give one of state, register, intermediate`},
		{"no format", "block: ccc\nvalues: [{name: cwnd, kind: state}]\n", `format ""`},
		{"over 64 bits", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "UQ32.0", "UQ60.5", 1),
			"65 bits; give at most 64"},
		{"sign bit over 64", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "UQ32.0", "SQ60.4", 1),
			"65 bits; give at most 64"},
		{"no bits at all", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "UQ32.0", "UQ0.0", 1), "no bits"},
		{"bits contradict", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "bits: 32", "bits: 33", 1),
			"bits 33 and format UQ32.0, which has 32, contradict each other"},
		{"bits missing", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "bits: 32, ", "", 1),
			"give the number of all bits"},
		{"unknown rounding", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "round: none", "round: up", 1),
			`round "up": give one of none, floor`},
		{"unknown overflow", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "over: none", "over: trap", 1),
			`over "trap": give one of none, saturate, wrap`},
		{"twice", "block: ccc\nvalues: [" + cwnd + ", " + cwnd + "]\n", "given twice"},
		{"against the schema", strings.NewReplacer("UQ32.0", "UQ31.0", "bits: 32", "bits: 31").
			Replace("block: ccc\nvalues: [" + cwnd + "]\n"),
			"format UQ31.0 contradicts the schema, which has UQ32.0"},
		{"unknown word", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "name: cwnd", "name: wnd", 1),
			"no state word of that name"},
		{"unknown register", strings.NewReplacer("cwnd", "CWND", "state", "register").
			Replace("block: ccc\nvalues: [" + cwnd + "]\n"),
			"no register of that name"},
		{"no rule", strings.Replace("block: ccc\nvalues: ["+cwnd+"]\n", "state", "intermediate", 1), "no rule"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := formats.Parse([]byte(c.text), ccc.Schema())
			require.ErrorIs(t, err, formats.ErrFormats)
			require.ErrorContains(t, err, c.want)
			require.NotContains(t, err.Error(), "\n", "one line")
		})
	}
}

func TestSet(t *testing.T) {
	table := ccc.Formats()
	require.NoError(t, table.Set("alpha", "UQ16.14"))
	v, ok := table.Lookup("ALPHA")
	require.True(t, ok)
	require.Equal(t, "UQ16.14,nearest-even,none", v.String())
	require.NoError(t, table.Set("avg_delay", "sQ31.12, truncate, wrap"))
	v, _ = table.Lookup("avg_delay")
	require.Equal(t, "SQ31.12,truncate,wrap", v.String())
	require.NoError(t, table.Set("factor", "UQ1.16"))
	v, _ = table.Lookup("factor")
	require.Equal(t, formats.Floor, v.Round, "an exact value that loses fraction bits is floored")
	require.Len(t, table.Changed(ccc.Formats()), 3)
	for spec, want := range map[string]string{
		"16.14": "give UQm.n", "UQ65.0": "65 bits", "UQ16.14,up": `"up"`, "UQ16.14,floor,truncate": `"truncate"`,
		"UQ16.14,wrap,saturate": `"saturate"`, "": "give UQm.n", "UQ-1.3": "give UQm.n", "UQ300.3": "give UQm.n",
	} {
		before := table.Clone()
		require.ErrorContains(t, table.Set("alpha", spec), want, spec)
		require.Equal(t, before, table, spec)
	}
	require.ErrorContains(t, table.Set("beta", "UQ1.1"), `value "beta": unknown; block ccc has cwnd, max_wnd`)
}

func TestOverlay(t *testing.T) {
	table := ccc.Formats()
	require.NoError(t, table.Overlay([]byte("block: ccc\nvalues:\n  - {name: ALPHA, format: UQ16.14}\n"+
		"  - {name: factor, bits: 17, format: UQ1.16, over: wrap}\n")))
	v, _ := table.Lookup("ALPHA")
	require.Equal(t, "UQ16.14,nearest-even,none", v.String())
	v, _ = table.Lookup("factor")
	require.Equal(t, "UQ1.16,floor,wrap", v.String())
	for text, want := range map[string]string{
		"block: ccc\nvalues: [{name: alpha, format: UQ65.0}]\n": "65 bits",
		"block: ccc\nvalues: [{name: alpha, kind: state, format: UQ6.0}]\n": "contradicts the block, which has a " +
			"register",
		"block: ccc\nvalues: [{name: alpha, format: UQ6.0, bits: 7}]\n":                      "contradict each other",
		"block: ccc\nvalues: [{name: beta, format: UQ6.0}]\n":                                "unknown",
		"block: ccc\nvalues: [{name: alpha, format: UQ6.0}, {name: ALPHA, format: UQ7.0}]\n": "given twice",
		"block: ccc\n": "no values",
		"":             "empty",
	} {
		before := table.Clone()
		err := table.Overlay([]byte(text))
		require.ErrorIs(t, err, formats.ErrFormats, text)
		require.ErrorContains(t, err, want, text)
		require.Equal(t, before, table, "an error changes nothing")
	}
}
