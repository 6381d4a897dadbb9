package ci

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/ci/triage"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

// triage reads the campaign in a folder, by default that of the stage smoke, and sorts its failures.
func (a *app) triage(dir string) (*triage.Triage, error) {
	if dir == "" {
		root, err := a.Repository()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(a.Outputs(root), "build", "ci", "smoke")
	}
	c, err := campaign.Read(dir)
	if err != nil {
		return nil, err
	}
	return triage.New(c), nil
}

func newTriage(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "triage [DIR]",
		Short: "put the failures of a campaign into buckets of one cause",
		Long: `triage sorts the failures of a campaign in a folder that run or merge wrote (default:
build/ci/smoke) into buckets. Failures of a block share a bucket if, reduced to the
shortest events that still fail, they differ in the same field after the same kinds of
events. Each bucket has its count, the seed, the revision and the shortest events of its
first run, and the command that repeats it. Errors of the harness are listed by reason.

Exit codes: 0 all planned runs passed; 1 one failed; 2 otherwise: there is no campaign,
or runs are missing or ended in errors.`,
		Example: `  goldwire ci triage build/ci/nightly
  goldwire ci triage build/ci/nightly --json triage.json`,
		Args: cli.Args("DIR", 0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			files := cli.Files(cmd, "json")
			if err := a.Take(files...); err != nil {
				return err
			}
			t, err := a.triage(strings.Join(args, ""))
			if err != nil {
				return err
			}
			if err = a.WriteReports(files, t.WriteText, cli.JSON(t)); err == nil {
				err = t.Incomplete()
			}
			return cli.Found(t.Found(), err)
		},
	}
	c.Flags().String("json", "", "write the buckets as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

func newBisect(a *app) *cobra.Command {
	var dir, good, bad string
	c := &cobra.Command{
		Use:   "bisect BUCKET",
		Short: "find the revision that a bucket of failures came with",
		Long: `bisect finds the first revision, after one that passes, at which the command of a
bucket's first run fails as that run did: in the same field, after the same kind of
event. Revisions are checked out and built in a worktree under build/; the working tree
is not changed. A revision that does not build, breaks or fails otherwise is skipped and
listed. Both ends are tried first.

BUCKET is a name that triage prints, or its beginning.

Exit codes: 0 the revision is found; 2 otherwise, also when skipped revisions leave
several.`,
		Example: `  goldwire ci bisect txstate-rsp_rtt --dir build/ci/nightly --good HEAD~40`,
		Args:    cli.OneArg("BUCKET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if good == "" {
				return errors.New("--good: no revision given; name one at which the bucket's command passes")
			}
			root, err := a.Checkout("bisect")
			if err != nil {
				return err
			}
			files := cli.Files(cmd, "json")
			if err := a.Take(files...); err != nil {
				return err
			}
			b, err := a.bucket(dir, args[0])
			if err != nil {
				return err
			}
			x, err := triage.Bisect(cmd.Context(), triage.Search{Root: root, Bucket: b, Good: good, Bad: bad,
				Note: func(line string) { fmt.Fprintln(a.Stderr, line) }})
			if err != nil {
				return err
			}
			if err := a.WriteReports(files, x.WriteText, cli.JSON(x)); err != nil {
				return err
			}
			if x.First == nil {
				return fmt.Errorf("the first bad revision of bucket %s is one of %d indistinguishable ones; see above", b.Name,
					len(x.Among))
			}
			return nil
		},
	}
	fl := c.Flags()
	dirFlag(c, &dir)
	fl.StringVar(&good, "good", "", "revision `REV` at which the command passes")
	fl.StringVar(&bad, "bad", "", "revision `REV` at which the command fails (default: that of the campaign)")
	fl.String("json", "", "write the result as JSON to `FILE` (- for stdout, in place of the text)")
	return c
}

// dirFlag is --dir, the folder of the bucket's campaign.
func dirFlag(c *cobra.Command, dir *string) {
	cli.Ordered(c).StringVar(dir, "dir", "", "folder `DIR` of the campaign (default: build/ci/smoke)")
}

// bucket returns a bucket of the campaign in a folder.
func (a *app) bucket(dir, name string) (*triage.Bucket, error) {
	t, err := a.triage(dir)
	if err != nil {
		return nil, err
	}
	return t.Find(name)
}

func newKeep(a *app) *cobra.Command {
	var dir, name string
	c := &cobra.Command{
		Use:   "keep BUCKET",
		Short: "add the shortest events of a bucket to the directed cases",
		Long: `keep writes the shortest events of a bucket that still fail as a directed case into
vectors/stim/BLOCK/directed/kept.txt, if the block has cases as text and the events are
not packets. It then builds the tree and plays the case; if the case does not play, the
file is restored. BUCKET is a name that triage prints, or its beginning.

The case demands only that design and model agree. Derive further demands from the
contract, by hand.

Exit codes: 0 the case is kept, whether the design fails in it or not; 2 otherwise.`,
		Example: `  goldwire ci keep txstate-rsp_rtt --dir build/ci/nightly --name ack/late-sample`,
		Args:    cli.OneArg("BUCKET"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name == "" {
				return errors.New("--name: no name given; name the case, GROUP/NAME")
			}
			root, err := a.Checkout("keep")
			if err != nil {
				return err
			}
			b, err := a.bucket(dir, args[0])
			if err != nil {
				return err
			}
			schema, err := a.Lookup(b.Block)
			if err != nil {
				return err
			}
			if slices.Contains(a.Cases(b.Block), name) {
				return fmt.Errorf("case %s: block %s already has one of that name; give another with --name", name, b.Block)
			}
			k, err := triage.Keep(cmd.Context(), root, schema, b, name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Stdout, "KEPT  case %s of %s in %s\n  plays    %s: %s\n  command  %s\n", name, b.Block,
				k.File, k.Outcome, k.Reason, k.Command)
			return err
		},
	}
	dirFlag(c, &dir)
	c.Flags().StringVar(&name, "name", "", "`GROUP/NAME` of the case")
	return c
}
