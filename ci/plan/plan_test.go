package plan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/plan"
)

const contract = `# toy: contract

What it does.

## Timing
As everywhere.

## Add
 1. The sum.
 2. The flag. It goes on
    over two lines.

### Overflow
**Saturate.** It stays at the top.

- **Wrap(n)**: it begins anew.

` + "```" + `
1. no rule: code
` + "```" + `

## Example
`

func TestRules(t *testing.T) {
	require.Equal(t, []string{"contract", "timing", "add", "add/1", "add/2", "add/overflow", "add/overflow/saturate",
		"add/overflow/wrap-n", "example"}, plan.Rules(contract))
}

func TestMatch(t *testing.T) {
	for _, x := range []struct {
		pattern, name string
		want          bool
	}{
		{"a/b", "a/b", true}, {"a/b", "a/bc", false}, {"a/*", "a/b/c", true}, {"a*c", "abc", true}, {"a*c", "abd", false},
		{"*", "", true}, {"*b*d", "abcd", true}, {"*b*d", "abdc", false}, {"", "a", false}, {"a*a", "a", false},
	} {
		require.Equal(t, x.want, plan.Match(x.pattern, x.name), "%s %s", x.pattern, x.name)
	}
}

const whole = `
testpoints:
  - {name: toy/time, rules: [contract, timing], bins: [port/*], cases: [time/*]}
  - {name: toy/add, rules: [add, add/*], bins: [sum/*, flag/one]}
  - {name: toy/example, rules: [example], informative: an example}
tests:
  - {name: adds, block: toy, sources: [directed, random], seeds: 1..3, events: 1k, params: {N: 2}, shows: [toy/*]}
  - {name: faults, block: toy, command: [faults, --seed, "{seed}", --json, "{json}"], drawn: 2, shows: [toy/add]}
stages:
  - {name: smoke, tests: [adds], seeds: "7", events: 10}
  - {name: night, tests: ["*"], drawn: 4}
`

func toy() *plan.Catalogue {
	return &plan.Catalogue{
		Blocks: []plan.Block{{Name: "toy", Contract: contract, Bins: []string{"port/a", "sum/0", "sum/1", "flag/one"},
			Sources: []string{"directed", "random"}, Cases: []string{"time/one"}, Params: []string{"N"}}},
		Commands: []string{"faults"}, Transports: []string{"shm"}, Ticks: []string{"1ns"},
		File: func(string) bool { return false },
	}
}

func parse(t *testing.T, text string) *plan.Plan {
	t.Helper()
	p, err := plan.Parse([]byte(text))
	require.NoError(t, err)
	return p
}

func TestWholePlan(t *testing.T) {
	sum, found := plan.Check(parse(t, whole), toy())
	require.Empty(t, found)
	require.Equal(t, plan.Summary{Rules: 9, Informative: 1, Testpoints: 3, Bins: 4, Tests: 2, Stages: 2}, sum)
}

// Each fault introduced into a complete plan is found, and nothing else with it.
func TestFaultsOfPlans(t *testing.T) {
	for _, x := range []struct{ old, new, want string }{
		{"[contract, timing]", "[contract]", "rule timing of toy: no testpoint has it"},
		{"[contract, timing]", "[contract, timing, gone]", "testpoint toy/time: no rule of toy is named gone"},
		{"flag/one", "flag/two", "testpoint toy/add: no bin of toy is named flag/two\n" +
			"bins flag/* of toy: 1 are in no testpoint"},
		{"cases: [time/*]", "cases: [tame/*]", "testpoint toy/time: no case of toy is named tame/*"},
		{"tests: [adds]", "tests: [add]", "stage smoke: no test is named add"},
		{`tests: ["*"]`, "tests: [adds]", "test faults: no stage runs it"},
		{"tests: [adds]", "tests: [adds], sources: [rand]", "stage smoke: none of its tests has a source named rand"},
		{"tests: [adds], seeds: \"7\", events: 10}\n  - {name: night, tests: [\"*\"]",
			"tests: [adds], sources: [directed]}\n  - {name: night, tests: [\"*\"], sources: [directed]",
			"test adds: no stage runs its source random"},
		{"tests: [adds], seeds", "closed: true, tests: [faults], seeds",
			"stage smoke: it is closed, and none of its tests shows toy/time"},
		{"name: night", "name: smoke", "stage smoke: there are two of that name; rename one"},
		{"name: faults", "name: adds", "test adds: there are two of that name; rename one"},
		{"name: toy/add", "name: toy/time", "testpoint toy/time: there are two of that name; rename one\n" +
			"test faults: it shows toy/add, and there is no such testpoint"},
		{"shows: [toy/*]", "shows: [toy/add]", "testpoint toy/time: no test shows it"},
		{"shows: [toy/*]", "shows: [toy/*, toy/sub]", "test adds: it shows toy/sub, and there is no such testpoint"},
		{"informative: an example", "bins: []", "testpoint toy/example: nothing shows it; give bins or cases, or say under " +
			"informative why there are none"},
		{"informative: an example", "informative: x, bins: [port/a]", "testpoint toy/example: it is informative, and has " +
			"bins or cases; keep one"},
		{"[directed, random]", "[directed, rondom]", `test adds: no source "rondom"; give one of directed, random`},
		{"[directed, random]", "[directed/time/two, random]", `test adds: no case "time/two"; give one of time/one`},
		{"[directed, random]", "[]", "test adds: it has no sources"},
		{"{N: 2}", "{M: 2}", `test adds: no parameter "M"; give one of N`},
		{"{N: 2}", "{N: 2}, transport: udp", `test adds: no transport "udp"; give one of shm`},
		{"{N: 2}", "{N: 2}, tick: 2ns", `test adds: no tick "2ns"; give one of 1ns`},
		{"{N: 2}", "{N: 2}, dut: no.yaml", "test adds: no file no.yaml"},
		{"{N: 2}", "{N: 2}, drawn: 3", "test adds: it has seeds and draws 3; keep one"},
		{"{N: 2}", "{N: 2}, seconds: -1", "test adds: seconds -1, memory_mb 0: give numbers above 0, or leave them out"},
		{"block: toy, sources", "block: tay, sources", `test adds: no block "tay"`},
		{`--json, "{json}"`, "-v", "test faults: its command names no {json}: without a result it could not be told from " +
			"one that did nothing"},
		{"[faults, --seed", "[fault, --seed", `test faults: no command "fault"; give one of faults`},
		{`drawn: 2`, "drawn: 2, events: 7", "test faults: it has a command of its own, and what only a co-simulation " +
			"takes; put it into the command"},
		{"rules: [example], ", "", "testpoint toy/example: it has no rule of the contract\n" +
			"rule example of toy: no testpoint has it"},
		{"toy/example", "tay/example", "testpoint tay/example: no block \"tay\"; name it BLOCK/WHAT\n" +
			"rule example of toy: no testpoint has it"},
	} {
		require.Contains(t, whole, x.old)
		_, found := plan.Check(parse(t, strings.Replace(whole, x.old, x.new, 1)), toy())
		require.Equal(t, x.want, strings.Join(found, "\n"), "%s -> %s", x.old, x.new)
	}
	_, found := plan.Check(&plan.Plan{}, &plan.Catalogue{})
	require.Len(t, found, 1)
}

func TestInclude(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	points, rest, _ := strings.Cut(whole, "tests:")
	write("a.points", points)
	p, err := plan.Load(write("plan.yaml", "include: [\"*.points\"]\ntests:"+rest))
	require.NoError(t, err)
	_, found := plan.Check(p, toy())
	require.Empty(t, found)

	_, err = plan.Load(write("plan.yaml", "include: [\"*.point\"]\ntests:"+rest))
	require.ErrorContains(t, err, "no file is named *.point")
	write("b.points", "include: [a.points]")
	_, err = plan.Load(write("plan.yaml", "include: [\"*.points\"]\ntests:"+rest))
	require.ErrorContains(t, err, "b.points: it is included in")
}

func TestTextsThatAreNoPlan(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "the file is empty",
		"tests: [{nam: x}]":                     `line 1: unknown key "nam" of a test`,
		"stages: [{name: x, seeds: 3..1}]":      "give a seed, a range",
		"stages: [{name: x, seeds: \"1,1\"}]":   "seed 1 is given twice",
		"stages: [{name: x, seeds: 1..200000}]": "more than 100000",
		"stages: [{name: x, events: 0}]":        "give a number above 0",
		"stages: [{name: x, events: 1e3}]":      "give a number above 0",
		"tests: []\n---\ntests: []":             "more than one document",
	} {
		_, err := plan.Parse([]byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func TestRuns(t *testing.T) {
	p := parse(t, whole)
	smoke, err := p.Runs("smoke", "any")
	require.NoError(t, err)
	require.Len(t, smoke, 2)
	require.Equal(t, "cosim --block toy --param N=2 --source random --seed 7 --events 10 --json {json}",
		strings.Join(smoke[1].Args, " "))
	require.Equal(t, smoke[0].Design, smoke[1].Design)
	p.Stages[0].Sources = []string{"rand*"}
	random, err := p.Runs("smoke", "any")
	require.NoError(t, err)
	require.Equal(t, smoke[1:], random)

	ids := func(night string) (out []string) {
		runs, err := p.Runs("night", night)
		require.NoError(t, err)
		for _, r := range runs {
			out = append(out, r.ID)
		}
		return out
	}
	// Directed cases once, random events and faults with four drawn seeds each.
	require.Len(t, ids("a"), 9)
	require.Equal(t, ids("a"), ids("a"))
	require.NotEqual(t, ids("a"), ids("b"))

	_, err = p.Runs("noon", "a")
	require.ErrorContains(t, err, `no stage "noon"; give one of smoke, night`)
}

func TestRunsOfBadNumbers(t *testing.T) {
	for _, x := range [][2]string{
		{"drawn: -1", "test a: drawn -1: give 1 to 100000 seeds"},
		{"drawn: 2000000000", "test a: drawn 2000000000: give 1 to 100000 seeds"},
		{"events: 5kM", `events: "5kM": give a number above 0`},
		{"events: 200000000000000M", `events: "200000000000000M": give a number above 0`},
	} {
		for range 8 {
			p, err := plan.Parse([]byte("tests: [{name: a, block: toy, sources: [random], " + x[0] +
				"}]\nstages: [{name: s, tests: [a]}]\n"))
			if err == nil {
				_, err = p.Runs("s", "n")
			}
			require.ErrorContains(t, err, x[1])
		}
	}
}

// A run that counts code coverage has a different build from one that does not.
func TestRunsThatCountTheirCode(t *testing.T) {
	p := parse(t, strings.Replace(whole, "{N: 2}", "{N: 2}, code: true", 1))
	runs, err := p.Runs("smoke", "n")
	require.NoError(t, err)
	require.Contains(t, strings.Join(runs[0].Args, " "), "--code-coverage {json}.code")
	plain, err := parse(t, whole).Runs("smoke", "n")
	require.NoError(t, err)
	require.NotEqual(t, plain[0].Design, runs[0].Design)
}
