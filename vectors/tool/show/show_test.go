package show_test

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool/show"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
)

// printed prints a file as a query asks for that edit completes.
func printed(t *testing.T, data []byte, edit func(q *show.Query)) (string, error) {
	t.Helper()
	f := tooltest.File("f.gwv", data)
	r, done, err := f.Open()
	require.NoError(t, err)
	defer done()
	q := show.Query{Table: export.NewTable(r.Block(), r.Header().Per), To: math.MaxUint64, Most: 20}
	edit(&q)
	var out bytes.Buffer
	err = q.Print(&out, &f, r)
	return out.String(), err
}

// numbers returns the first column of a table, without its head.
func numbers(table string) (out []string) {
	for _, line := range strings.Split(strings.TrimSpace(table), "\n")[1:] {
		out = append(out, strings.Fields(line)[0])
	}
	return out
}

func TestQueries(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	for name, c := range map[string]struct {
		edit func(q *show.Query)
		want []string
	}{
		"range":           {func(q *show.Query) { q.From, q.To = 8, 11 }, []string{"8", "9", "10", "11"}},
		"one":             {func(q *show.Query) { q.From, q.To = 29, 29 }, []string{"29"}},
		"most":            {func(q *show.Query) { q.From, q.Most = 5, 2 }, []string{"5", "6"}},
		"range over most": {func(q *show.Query) { q.From, q.To, q.Most = 5, 20, 2 }, []string{"5", "6"}},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := printed(t, data, c.edit)
			require.NoError(t, err)
			require.Equal(t, c.want, numbers(out), out)
		})
	}
	out, err := printed(t, data, func(q *show.Query) { q.From, q.To = 9, 10 })
	require.NoError(t, err)
	require.Regexp(t, `(?m)^9 +e/0 `, out)
	require.Regexp(t, `(?m)^10 +e/1 `, out)
}

func TestConditions(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	column := ""
	out, err := printed(t, data, func(q *show.Query) {
		for i := range q.Table.Columns {
			if strings.HasPrefix(q.Table.Columns[i].Name, "ev.") {
				column = q.Table.Columns[i].Name
				break
			}
		}
		c, err := q.Table.ParseCondition(column + ">255")
		require.NoError(t, err)
		q.Conditions = []export.Condition{c}
	})
	require.NoError(t, err)
	require.Equal(t, "no transaction matches\n", out)
}

func TestJSONLinesOfAllRecords(t *testing.T) {
	out, err := printed(t, tooltest.Data(t, 3, nil), func(q *show.Query) { q.JSON, q.Most = true, 0 })
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, tooltest.Records)
	for _, l := range lines {
		require.True(t, json.Valid([]byte(l)), l)
	}
}

func TestTablesAreBounded(t *testing.T) {
	for _, most := range []int{-1, 0, show.MaxTable + 1} {
		_, err := printed(t, tooltest.Data(t, 3, nil), func(q *show.Query) { q.Most = most })
		require.ErrorContains(t, err, "must be 1 to 10000")
	}
}

// What is sound of a damaged file is shown, and the damage is an error.
func TestDamage(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	for _, asJSON := range []bool{false, true} {
		out, err := printed(t, data[:len(data)-3], func(q *show.Query) { q.JSON, q.Most = asJSON, 100 })
		require.ErrorContains(t, err, "f.gwv: ")
		require.Contains(t, out, "e/2")
	}
}

func TestInfo(t *testing.T) {
	f := tooltest.File("f.gwv", tooltest.Data(t, 3, nil))
	r, done, err := f.Open()
	require.NoError(t, err)
	defer done()
	require.NoError(t, f.Each(r, func(*format.Record) (bool, error) { return true, nil }))
	var whole, part bytes.Buffer
	require.NoError(t, show.Info(&whole, r, true))
	require.Regexp(t, `(?m)^block +txstate: `, whole.String())
	require.Regexp(t, `(?m)^records +30 in \d+ frames$`, whole.String())
	require.Regexp(t, `(?m)^made by +goldwire vectors gen$`, whole.String())
	require.Regexp(t, `(?m)^digest +[0-9a-f]{64}$`, whole.String())
	require.NoError(t, show.Info(&part, r, false))
	require.NotContains(t, part.String(), "digest", "a damaged file has no totals")
	require.Contains(t, part.String(), "then damage")
	text, err := json.Marshal(show.File{Header: r.Header(), Totals: r.Totals()})
	require.NoError(t, err)
	require.Contains(t, string(text), `"records":30`)
	require.Contains(t, string(text), `"block":"txstate"`)
}
