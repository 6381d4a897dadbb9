package ci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/pflag"

	"github.com/goldwire/goldwire/ci/affected"
	"github.com/goldwire/goldwire/ci/campaign"
)

// changedFlags select the runs that a change can affect.
type changedFlags struct{ since, history string }

func (f *changedFlags) flags(fl *pflag.FlagSet) {
	fl.StringVar(&f.since, "changed-since", "",
		"run only what a change since the revision `REV` can affect; with --history")
	fl.StringVar(&f.history, "history", "",
		"folder `DIR` of a finished campaign of REV, for the records of all other runs")
}

// taken returns the records to take over from an earlier campaign. It returns none if the flags do not ask for it and,
// with a note, if it is unknown what a change can affect.
func (a *app) taken(ctx context.Context, f *changedFlags, root string,
	head *campaign.Head) (map[string]*campaign.Record, error) {
	switch {
	case f.since == "" && f.history == "":
		return nil, nil
	case f.since == "":
		return nil, errors.New("--history: needs --changed-since; give the revision of the campaign")
	case f.history == "":
		return nil, errors.New(
			"--changed-since: needs --history; give the folder of a finished campaign of that revision")
	}
	earlier, err := campaign.Read(f.history)
	if err != nil {
		return nil, err
	}
	if n := earlier.Summary.Missing; n > 0 {
		return nil, fmt.Errorf("folder %s: the campaign is not finished: %d of %d planned runs have no record; finish it, "+
			"or merge its shards", f.history, n, earlier.Summary.Planned)
	}
	x, err := affected.Unchanged(ctx, root, f.since, head.Runs)
	if err == nil {
		err = usable(earlier.Head, head, x.Commit)
	}
	if errors.Is(err, errOther) {
		return nil, fmt.Errorf("folder %s: %w", f.history, err)
	}
	if err != nil {
		fmt.Fprintf(a.Stderr, "every run is repeated, because it is unknown what the change affects: %v\n", err)
		return nil, nil
	}
	for i := range head.Runs { // a fingerprint holds what the repository does
		elsewhere, err := campaign.ReadsElsewhere(root, &head.Runs[i])
		if err != nil {
			return nil, err
		}
		if elsewhere {
			delete(x.Inputs, head.Runs[i].ID)
		}
	}
	return campaign.TakeOver(f.history, earlier, head, x.Inputs), nil
}

// errOther is wrapped by usable's error for a campaign of another revision.
var errOther = errors.New("the campaign is of another revision")

// usable returns why the records of an earlier campaign cannot replace runs of a new one, or nil. The campaign must
// have been run at exactly that commit, by a program built from it, with the current tools.
func usable(earlier, now *campaign.Head, commit string) error {
	at := func(revision string) bool { // also as git describe prints it: TAG-N-gCOMMIT
		if i := strings.LastIndex(revision, "-g"); i >= 0 {
			revision = revision[i+len("-g"):]
		}
		return len(revision) >= 7 && strings.HasPrefix(commit, revision)
	}
	switch {
	case earlier.Revision == "" || strings.HasSuffix(earlier.Revision, "+"):
		return fmt.Errorf("the campaign was run at revision %q with uncommitted files", earlier.Revision)
	case !at(earlier.Revision):
		return fmt.Errorf("%w: %s, and --changed-since names %.12s", errOther, earlier.Revision, commit)
	case !at(earlier.Built):
		return fmt.Errorf("the campaign's goldwire was built from revision %q, not from %.12s", earlier.Built, commit)
	case earlier.Tools == "" || earlier.Tools != now.Tools:
		return fmt.Errorf("the campaign was run with other tools: %q then, %q now", earlier.Tools, now.Tools)
	}
	return nil
}

// tools returns the versions of the tools that results depend on, or "" if one of them does not answer.
func tools(ctx context.Context) string {
	out := []string{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	for _, name := range []string{cmp.Or(os.Getenv("VERILATOR"), "verilator"), cmp.Or(os.Getenv("CXX"), "g++")} {
		text, err := exec.CommandContext(ctx, name, "--version").Output()
		line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if err != nil || line == "" {
			return ""
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}
