package history_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/history"
	"github.com/goldwire/goldwire/ci/plan"
)

var dawn = time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)

// record returns a passed run of a test and source with a seed; missed are the bins, of three, that it missed.
func record(test, source string, seed uint64, missed ...string) campaign.Record {
	id := fmt.Sprintf("%s.%s.%d", test, source, seed)
	return campaign.Record{Run: plan.Run{ID: id, Test: test, Block: "toy", Source: source, Seed: seed, Events: 1000,
		Args: []string{"cosim", "--source", source, "--seed", fmt.Sprint(seed)}}, Outcome: campaign.Passed,
		Result: &campaign.Result{Verdict: "pass", Block: "toy", Source: source, Seed: seed, Events: 1000, Fields: 7,
			Digest: "d" + id, Bins: 3, Hit: 3 - len(missed), Missed: missed}, Cost: campaign.Cost{Seconds: 2, CPU: 1}}
}

// failing returns the run as a failed one.
func failing(r campaign.Record, field, event string) campaign.Record {
	x := *r.Result
	x.Verdict, x.Failure = "mismatch", &campaign.Failure{Episode: "e", Cycle: 3, Field: field, Event: event}
	r.Outcome, r.Result = campaign.Failed, &x
	return r
}

// broken returns the run as one that ended in an error.
func broken(r campaign.Record) campaign.Record {
	r.Outcome, r.Reason, r.Result = campaign.Error, "it took too long", nil
	return r
}

// folder writes the folder of a campaign as goldwire ci run does.
func folder(t *testing.T, stage string, night int, records ...campaign.Record) string {
	t.Helper()
	dir := t.TempDir()
	head := campaign.Head{Fingerprint: fmt.Sprintf("%s%d", stage, night), Stage: stage, Revision: "abc",
		Night: dawn.AddDate(0, 0, night).Format(time.DateOnly), Began: dawn.AddDate(0, 0, night)}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "records"), 0o777))
	store := func(name string, x any) {
		text, err := json.Marshal(x)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	for _, r := range records {
		r.Fingerprint = head.Fingerprint
		head.Runs = append(head.Runs, r.Run)
		store(filepath.Join("records", r.Run.ID+".json"), r)
	}
	store("campaign.json", head)
	return dir
}

// add adds folders to a history.
func add(t *testing.T, db string, dirs ...string) ([]history.News, error) {
	t.Helper()
	var all []*campaign.Campaign
	for _, dir := range dirs {
		c, err := history.Read(dir)
		require.NoError(t, err)
		all = append(all, c)
	}
	d, err := history.Create(db)
	require.NoError(t, err)
	defer d.Close()
	return d.Add(t.Context(), all...)
}

// trends returns the trends of all nights of a history.
func trends(t *testing.T, db string) *history.Trends {
	t.Helper()
	return history.NewTrends(past(t, db, "", 1000), []plan.Testpoint{{Name: "toy/a", Bins: []string{"a*"}},
		{Name: "toy/all", Bins: []string{"a1", "b*"}}, {Name: "tay/c", Bins: []string{"*"}}})
}

func past(t *testing.T, db, stage string, n int) *history.Past {
	t.Helper()
	d, err := history.Open(t.Context(), db)
	require.NoError(t, err)
	defer d.Close()
	p, err := d.Last(t.Context(), stage, n)
	require.NoError(t, err)
	return p
}

// A campaign is in the history once. The same campaign with other answers is refused, apart from errors of the harness.
func TestSameCampaignTwice(t *testing.T) {
	db := filepath.Join(t.TempDir(), "new", "history.db")
	plain, other := record("x", "random", 1, "a1"), record("x", "random", 2)
	first := folder(t, "smoke", 1, plain, broken(other))
	step := func(dir string, want history.News) {
		t.Helper()
		news, err := add(t, db, dir)
		require.NoError(t, err)
		require.Equal(t, []history.News{want}, news)
	}
	step(first, history.Added)
	step(first, history.Known)
	require.Equal(t, campaign.Error, trends(t, db).Verdict)
	whole := folder(t, "smoke", 1, plain, other)
	step(whole, history.Replaced)
	step(whole, history.Known)
	step(first, history.Kept)
	tr := trends(t, db)
	require.Equal(t, campaign.Passed, tr.Verdict)
	require.Len(t, tr.Nights, 1)
	require.Len(t, tr.Nights[0].Runs, 2)

	changed := record("x", "random", 2)
	changed.Result.Digest = "other"
	for _, r := range []campaign.Record{changed, failing(other, "f", "ACK")} {
		_, err := add(t, db, folder(t, "smoke", 1, plain, r))
		require.ErrorContains(t, err, "run x.random.2 gave another answer than the history has")
	}
	_, err := add(t, db, folder(t, "smoke", 1, plain))
	require.ErrorContains(t, err, "the history has other runs of this campaign")
	// Several campaigns are all added, or none.
	_, err = add(t, db, folder(t, "smoke", 2, plain), folder(t, "smoke", 1, plain, changed))
	require.Error(t, err)
	require.Len(t, trends(t, db).Nights, 1)
}

// A folder that is damaged, unfinished or without a known time adds nothing.
func TestFoldersThatAreRefused(t *testing.T) {
	_, err := history.Read(t.TempDir())
	require.ErrorContains(t, err, "holds no campaign")
	dir := folder(t, "smoke", 1, record("x", "random", 1), record("x", "random", 2))
	path := filepath.Join(dir, "records", "x.random.2.json")
	require.NoError(t, os.Truncate(path, 40))
	_, err = history.Read(dir)
	require.ErrorContains(t, err, "x.random.2.json is damaged")
	require.NoError(t, os.Remove(path))
	_, err = history.Read(dir)
	require.ErrorContains(t, err, "1 of 2 planned runs have no record")
	empty := record("x", "random", 1)
	empty.Result.Fields = 0
	_, err = history.Read(folder(t, "smoke", 1, empty))
	require.ErrorContains(t, err, "passed and compared nothing")
	dir = folder(t, "smoke", 1, record("x", "random", 1))
	head := filepath.Join(dir, "campaign.json")
	text, err := os.ReadFile(head)
	require.NoError(t, err)
	timeless := strings.Replace(string(text), "2026-01-02T02", "0001-01-01T00", 1)
	require.NoError(t, os.WriteFile(head, []byte(timeless), 0o666))
	_, err = history.Read(dir)
	require.ErrorContains(t, err, "has no time at which the campaign began")
}

// The newest campaigns decide the verdict, and a failure is mended only if the same runs were repeated and passed.
func TestFailures(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	a, b, c := record("x", "random", 1), record("x", "random", 2), record("x", "random", 3)
	state := func() map[string]history.Status {
		out := map[string]history.Status{}
		for _, f := range trends(t, db).Failures {
			out[strings.TrimSpace(f.Field+" "+strings.Join(f.Shape, " "))] = f.Status
		}
		return out
	}
	night := 0
	step := func(records ...campaign.Record) {
		t.Helper()
		night++
		_, err := add(t, db, folder(t, "nightly", night, records...))
		require.NoError(t, err)
	}
	step(a, b, c)
	require.Empty(t, state())
	step(failing(a, "cwnd", "ACK ctx=1"), failing(b, "cwnd", "accepted last: ACK ctx=2"), c)
	require.Equal(t, map[string]history.Status{"cwnd ACK": history.New}, state())
	require.Equal(t, 2, trends(t, db).Failures[0].Runs)
	require.Equal(t, "goldwire cosim --source random --seed 1", trends(t, db).Failures[0].Command)
	step(failing(a, "cwnd", "ACK ctx=1"), b, failing(c, "cwnd", "SEND ctx=1"))
	require.Equal(t, map[string]history.Status{"cwnd ACK": history.Lasting, "cwnd SEND": history.New}, state())
	// A campaign that is not shown is not between others.
	require.Equal(t, history.Lasting, history.NewTrends(past(t, db, "", 1), nil).Failures[1].Status)
	step(broken(a), b, c) // an error is not a pass
	require.Equal(t, map[string]history.Status{"cwnd ACK": history.Unseen, "cwnd SEND": history.Mended}, state())
	require.Equal(t, campaign.Error, trends(t, db).Verdict)
	require.Equal(t, "it took too long", trends(t, db).Errors[0].Reason)
	step(failing(a, "other", ""), b, c) // another difference may hide it
	require.Equal(t, history.Unseen, state()["cwnd ACK"])
	step(b, c) // the failed run was not run
	require.Equal(t, history.Unseen, state()["cwnd ACK"])
	require.Equal(t, campaign.Passed, trends(t, db).Verdict)
	longer := a
	longer.Run.Args = append(append([]string{}, a.Run.Args...), "--events", "5")
	step(longer, b, c) // another command of the same name
	require.Equal(t, history.Unseen, state()["cwnd ACK"])
	step(a, b, c)
	require.Equal(t, map[string]history.Status{"cwnd ACK": history.Mended, "cwnd SEND": history.Mended,
		"other": history.Mended}, state())
	step(failing(a, "cwnd", "ACK ctx=1"), b, c)
	require.Equal(t, history.Again, state()["cwnd ACK"])
	require.Equal(t, campaign.Failed, trends(t, db).Verdict)
	// A stage that passes does not hide a failed one, whichever is newer.
	_, err := add(t, db, folder(t, "pull", night+1, a, b, c))
	require.NoError(t, err)
	require.Equal(t, campaign.Failed, trends(t, db).Verdict)
	require.Empty(t, history.NewTrends(past(t, db, "pull", 5), nil).Failures)
	// Failures before the nights shown are known too.
	require.Len(t, history.NewTrends(past(t, db, "nightly", 1), nil).Failures, 3)
}

// Coverage is what all runs of a campaign hit together. A block whose runs all broke is not left out.
func TestCoverage(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	a, b := record("x", "random", 1, "a1", "a2"), record("x", "random", 2, "a1", "z")
	_, err := add(t, db, folder(t, "smoke", 1, a, b), folder(t, "smoke", 2, a, broken(b)))
	require.NoError(t, err)
	c := trends(t, db).Coverage
	require.Len(t, c, 1)
	require.Equal(t, []int{2, 1}, []int{c[0].Nights[0].Hit, c[0].Nights[1].Hit})
	require.Equal(t, []history.Missing{{Testpoint: "toy/a", Bins: []string{"a1", "a2"}},
		{Testpoint: "toy/all", Bins: []string{"a1"}}}, c[0].Missing)
	_, err = add(t, db, folder(t, "smoke", 3, broken(a), b))
	require.NoError(t, err)
	require.Equal(t, history.Missing{Bins: []string{"z"}}, trends(t, db).Coverage[0].Missing[2])
	// The hits and figures of a run with two different answers are in doubt.
	doubt := a
	doubt.Outcome, doubt.Doubt, doubt.Figures = campaign.Error, true, []campaign.Figure{{Name: "state/near", Value: 1}}
	other := filepath.Join(t.TempDir(), "other.db")
	_, err = add(t, other, folder(t, "smoke", 1, doubt, b))
	require.NoError(t, err)
	require.Equal(t, 1, trends(t, other).Coverage[0].Nights[0].Hit)
	require.Empty(t, trends(t, other).Figures)
	require.Equal(t, 1, history.NewRanking(past(t, other, "smoke", 1)).Bins)
	_, err = add(t, db, folder(t, "smoke", 4, broken(a), broken(b)))
	require.NoError(t, err)
	tr := trends(t, db)
	require.Len(t, tr.Coverage, 1)
	require.False(t, tr.Coverage[0].Known)
	var text strings.Builder
	require.NoError(t, tr.WriteText(&text))
	require.Contains(t, text.String(), "not known")
	_, table, _ := strings.Cut(text.String(), "\nCoverage\n")
	table, _, _ = strings.Cut(table, "\nThroughput\n")
	require.NotContains(t, table, "100.0")
}

// A test that became slower by more than its noise shows; one within the noise does not.
func TestThroughput(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	for night, cpu := range []float64{1, 1.04, 0.97, 1.02, 0.99, 1.03, 1.3} {
		slow, steady, few := record("slow", "random", 1), record("steady", "random", 1), record("few", "random", 1)
		slow.Cost.CPU = cpu
		steady.Cost.CPU = min(cpu, 1.03)
		records := []campaign.Record{slow, steady}
		if night > 3 {
			records = append(records, few)
		}
		_, err := add(t, db, folder(t, "smoke", night, records...))
		require.NoError(t, err)
	}
	got := map[string][2]history.Change{}
	for _, x := range trends(t, db).Tests {
		got[x.Name] = [2]history.Change{x.Speed.Verdict, x.CPU.Verdict}
	}
	require.Equal(t, map[string][2]history.Change{"slow": {history.Lower, history.Higher},
		"steady": {history.Same, history.Same}, "few": {history.Few, history.Few}}, got)
	// A failed run is not a measurement of speed.
	_, err := add(t, db, folder(t, "smoke", 9, failing(record("slow", "random", 1), "f", "ACK")))
	require.NoError(t, err)
	require.Equal(t, history.None, trends(t, db).Tests[0].Speed.Verdict)
}

// The page holds the same as the text, is one file and has the verdict of the newest campaign.
func TestPage(t *testing.T) {
	db := filepath.Join(t.TempDir(), "history.db")
	a, b := record("x", "random", 1, "a1"), record("x", "random", 2, "a1", "z")
	_, err := add(t, db, folder(t, "smoke", 1, a, b), folder(t, "smoke", 2, failing(a, "cwnd", "ACK"), broken(b)))
	require.NoError(t, err)
	var page strings.Builder
	require.NoError(t, trends(t, db).WriteHTML(&page))
	for _, want := range []string{`<div class="verdict bad"><b>FAILED</b>`, "toy-cwnd-ACK-", "it took too long", "toy/all",
		"goldwire cosim --source random --seed 1", "<svg "} {
		require.Contains(t, page.String(), want)
	}
	ticks := regexp.MustCompile(`<text[^>]*class="tick"[^>]*text-anchor="middle"[^>]*>([^<]*)<`)
	var numbers []string
	for _, m := range ticks.FindAllStringSubmatch(page.String(), -1) {
		numbers = append(numbers, m[1])
	}
	require.NotEmpty(t, numbers)
	for _, n := range numbers {
		require.Contains(t, []string{"1", "2"}, n, "campaigns have whole numbers, and there are two")
	}
	for _, never := range []string{"<script", "http://", "https://", "NaN"} {
		require.NotContains(t, page.String(), never)
	}
	require.NoError(t, history.NewTrends(past(t, db, "", 1), nil).WriteHTML(&page)) // a single campaign
	require.NotContains(t, page.String(), "NaN")
}
