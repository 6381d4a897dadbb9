package campaign_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/ci/campaign"
)

// A campaign can be read back. A lost record is missing. A record that is damaged, belongs to nothing, or passed
// without a comparison, is an error.
func TestRead(t *testing.T) {
	root := repository(t)
	h := head(t, root, 2, "plain", "differs")
	c, _ := config(t, root, h)
	ran, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	got, err := campaign.Read(c.Dir)
	require.NoError(t, err)
	require.Equal(t, ran, got.Summary)
	require.Equal(t, h, got.Head)
	require.Len(t, got.Records, 4)
	require.Equal(t, "a", got.Records[2].Result.Failure.Field)

	record := filepath.Join(c.Dir, "records", "plain.1.json")
	whole, err := os.ReadFile(record)
	require.NoError(t, err)
	for text, want := range map[string]string{
		string(whole[:len(whole)/2]):                                                  "plain.1.json is damaged",
		strings.Replace(string(whole), `"fields": 7`, `"fields": 0`, 1):               "passed and compared nothing",
		strings.Replace(string(whole), `"outcome": "passed"`, `"outcome": "fine"`, 1): `has the outcome "fine"`,
	} {
		require.NoError(t, os.WriteFile(record, []byte(text), 0o666))
		_, err := campaign.Read(c.Dir)
		require.ErrorContains(t, err, want)
	}
	require.NoError(t, os.Remove(record))
	got, err = campaign.Read(c.Dir)
	require.NoError(t, err)
	require.Nil(t, got.Records[0])
	require.Equal(t, 1, got.Summary.Missing)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "records", "other.json"), whole, 0o666))
	_, err = campaign.Read(c.Dir)
	require.ErrorContains(t, err, "is of no run of this campaign")
	_, err = campaign.Read(t.TempDir())
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A head names the commit and the beginning of the campaign; a continued campaign keeps its beginning.
func TestHeadTellsItsRevision(t *testing.T) {
	root := repository(t)
	require.Empty(t, head(t, root, 1, "plain").Revision)
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", root, "-c", "user.name=x", "-c", "user.email=x@example.org"},
			args...)...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	require.Empty(t, head(t, root, 1, "plain").Revision, "no commit yet")
	git("add", ".")
	git("commit", "-q", "-m", "all")
	h := head(t, root, 1, "plain")
	require.Equal(t, git("rev-parse", "--short=12", "HEAD"), h.Revision)
	require.WithinDuration(t, time.Now(), h.Began, time.Hour)
	require.NoError(t, os.WriteFile(filepath.Join(root, "new"), nil, 0o666))
	later := head(t, root, 1, "plain")
	require.Equal(t, h.Revision+"+", later.Revision)
	require.Equal(t, h.Fingerprint, later.Fingerprint)
	require.NoError(t, os.Mkdir(filepath.Join(root, "part"), 0o777))
	require.NoError(t, os.CopyFS(filepath.Join(root, "part", "hdl"), os.DirFS(filepath.Join(root, "hdl"))))
	require.Empty(t, head(t, filepath.Join(root, "part"), 1, "plain").Revision, "a folder inside of a repository")

	c, _ := config(t, root, h)
	_, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Empty(t, h.Tools)
	later.Began, later.Tools = h.Began.Add(time.Hour), "v 2"
	c.Head = later
	_, err = campaign.Run(t.Context(), c)
	require.NoError(t, err)
	kept, err := campaign.ReadHead(c.Dir)
	require.NoError(t, err)
	require.Equal(t, h.Began, kept.Began)
	require.Equal(t, h.Revision, kept.Revision)
	require.Empty(t, kept.Tools, "its records are of two versions of the tools")
	c.Fresh = true
	_, err = campaign.Run(t.Context(), c)
	require.NoError(t, err)
	kept, err = campaign.ReadHead(c.Dir)
	require.NoError(t, err)
	require.Equal(t, later.Began, kept.Began)
}
