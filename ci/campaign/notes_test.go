package campaign_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
)

// A campaign notes what it does not run, and why a good design shows nothing.
func TestNotesOnRecords(t *testing.T) {
	root := repository(t)
	c, begun := config(t, root, head(t, root, 2, "differs"))
	var notes []string
	c.Note = func(line string) { notes = append(notes, line) }
	run := func() string {
		t.Helper()
		notes = nil
		sum, err := campaign.Run(t.Context(), c)
		require.NoError(t, err)
		require.Equal(t, campaign.Failed, sum.Verdict)
		return strings.Join(notes, "\n")
	}
	run()
	require.NotEmpty(t, begun())
	require.Equal(t, "nothing to run: all of 2 runs have their record; --fresh begins anew", run())
	require.Empty(t, begun())

	c.Good = &campaign.Good{Name: "better", RTL: filepath.Join(root, "good")}
	require.Contains(t, run(), "2 failures recorded without a good design and not compared with better now; --fresh")
	require.Empty(t, begun())

	c.Good, c.Fresh = nil, true
	text := run()
	require.Contains(t, text, "2 records that were there in ")
	require.NotContains(t, text, "another campaign")
	c.Fresh = false
	require.NoError(t, os.Remove(filepath.Join(c.Dir, "records", c.Head.Runs[0].ID+".json")))
	require.Contains(t, run(), "1 of 2 runs have their record; 1 to run")
}

// A path that cannot be the folder of a campaign is refused with the cause and left unchanged.
func TestFoldersThatAreNoPlace(t *testing.T) {
	root := repository(t)
	c, begun := config(t, root, head(t, root, 1, "plain"))
	hdl := filepath.Join(root, "hdl")
	for _, dir := range []string{hdl, filepath.Join(hdl, "new", "folder")} {
		before, err := os.ReadDir(hdl)
		require.NoError(t, err)
		o := c
		o.Dir = dir
		_, err = campaign.Run(t.Context(), o)
		require.ErrorContains(t, err, "which the runs read; give another folder with --dir", dir)
		after, err := os.ReadDir(hdl)
		require.NoError(t, err)
		require.Equal(t, len(before), len(after))
	}
	o := c
	o.Dir = filepath.Join(hdl, "toy.sv")
	_, err := campaign.Run(t.Context(), o)
	require.ErrorContains(t, err, "toy.sv: it is ")
	o.Dir = filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(o.Dir, nil, 0o666))
	_, err = campaign.Run(t.Context(), o)
	require.ErrorContains(t, err, "it is a file; give a folder with --dir")

	// A damaged head is an error, and its records stay.
	_, err = campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Len(t, begun(), 1)
	file := filepath.Join(c.Dir, "campaign.json")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text[:len(text)/2], 0o666))
	_, err = campaign.Run(t.Context(), c)
	require.ErrorContains(t, err, "campaign.json is damaged")
	require.Empty(t, begun())
	require.FileExists(t, filepath.Join(c.Dir, "records", c.Head.Runs[0].ID+".json"))
}
