package contract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// Every block has a table, which names a rule of its contract for every output, and no other.
func TestEveryOutputHasItsRules(t *testing.T) {
	schemas, err := filepath.Glob("../*/schema.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(schemas), 6)
	for _, path := range schemas {
		b, err := event.Load(path)
		require.NoError(t, err)
		k, err := Open(filepath.Dir(path), b)
		require.NoError(t, err)
		for _, name := range Outputs(b) {
			rules := k.Deciding(name, "")
			require.NotEmpty(t, rules, "%s %s", b.Name, name)
			for _, r := range rules {
				require.NotEmpty(t, strings.TrimSpace(r.Text), "%s %s", b.Name, r.Name)
			}
		}
	}
}

// A table that leaves an output out, or names what is not there, is refused.
func TestTableIsHeldAgainstBoth(t *testing.T) {
	b, err := event.Load("../txstate/schema.yaml")
	require.NoError(t, err)
	text, err := os.ReadFile("../txstate/contract.md")
	require.NoError(t, err)
	table, err := os.ReadFile("../txstate/rules.yaml")
	require.NoError(t, err)
	for name, x := range map[string]struct{ old, new, want string }{
		"left out":       {"  rtt: [sample]\n", "", "rsp_rtt: it is left out"},
		"no rule":        {"rtt: [sample]", "rtt: []", "rsp_rtt: it has no rule"},
		"unknown rule":   {"rtt: [sample]", "rtt: [sampel]", "the contract has no rule sampel"},
		"unknown output": {"  rtt: [sample]\n", "  rtt: [sample]\n  rrt: [sample]\n", "rsp_rrt: the schema has no such"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(string(table), x.old, x.new, 1)
			require.NotEqual(t, string(table), changed)
			_, err := NewBook(string(text), []byte(changed), b)
			require.ErrorContains(t, err, x.want)
		})
	}
	_, err = NewBook(strings.Replace(string(text), "## Sample", "## Samples", 1), table, b)
	require.ErrorContains(t, err, "no rule sample", "a rule that is renamed in the contract is noticed")
}

// Of the rules for another kind of event none is shown.
func TestDecidingByKind(t *testing.T) {
	b, err := event.Load("../ccc/schema.yaml")
	require.NoError(t, err)
	k, err := Open("../ccc", b)
	require.NoError(t, err)
	names := func(output, kind string) (out []string) {
		for _, r := range k.Deciding(output, kind) {
			out = append(out, r.Name)
		}
		return out
	}
	require.Equal(t, []string{"nack/5"}, names("rsp_lb", "NACK"))
	require.Equal(t, []string{"ack/5", "nack/5", "loss"}, names("rsp_lb", ""))
	require.Equal(t, []string{"ack/1"}, names("rsp_stale", "NACK"), "what no rule of the kind sets")
	r := k.Rule("ack/14")
	require.True(t, strings.HasPrefix(r.Text, "14. Fulfil, if"), r.Text)
	text, err := os.ReadFile("../ccc/contract.md")
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(strings.Split(string(text), "\n")[r.Line-1], "14. Fulfil"))
}
