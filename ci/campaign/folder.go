package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/cosim/report/measured"
)

// Files in a campaign's folder.
const (
	headName   = "campaign.json"
	lockName   = "lock"
	recordsDir = "records"
	workDir    = "work" // logs, results and waves of the runs
)

// Head identifies a campaign. Shards of one campaign have the same head.
type Head struct {
	Fingerprint string     `json:"fingerprint"` // of program, hdl/, runs, goals and the files that runs name
	Stage       string     `json:"stage"`
	Night       string     `json:"night"` // from which drawn seeds derive
	Runs        []plan.Run `json:"runs"`
	Goals       plan.Goals `json:"goals"`
	// Revision is the commit of the repository, with a + if files were changed; "" outside git. Began is when the campaign
	// began, to the second. Neither is in the fingerprint.
	Revision string    `json:"revision"`
	Began    time.Time `json:"began"`
	// Built is the revision that the program was built from, and Tools the versions of the simulator and compilers; "" if
	// unknown. Neither is in the fingerprint.
	Built string `json:"built,omitempty"`
	Tools string `json:"tools,omitempty"`
}

// NewHead returns the head of a stage's runs and goals in the repository under root, for a goldwire program in the file
// program. It errors if one of the files cannot be read.
func NewHead(root, program, stage, night string, runs []plan.Run, goals plan.Goals) (*Head, error) {
	h := &Head{Stage: stage, Night: night, Runs: runs, Goals: goals}
	inputs, err := hashInputs(root, runs)
	if err != nil {
		return nil, err
	}
	if h.Fingerprint, err = h.fingerprint(program, inputs); err != nil {
		return nil, err
	}
	h.Revision, h.Began = measured.Revision(root), time.Now().UTC().Truncate(time.Second)
	return h, nil
}

// fingerprint hashes what identifies a campaign: the program, the files that its runs read, and the runs.
func (h *Head) fingerprint(program, inputs string) (string, error) {
	sum := sha256.New()
	if err := addFile(sum, "program", program); err != nil {
		return "", err
	}
	text, err := json.Marshal(struct {
		Runs  []plan.Run
		Goals plan.Goals
	}{h.Runs, h.Goals})
	if err != nil {
		return "", err
	}
	fmt.Fprintf(sum, "%s\n%s\n%s\n%s", inputs, h.Stage, h.Night, text)
	return hex.EncodeToString(sum.Sum(nil))[:16], nil
}

func hashInputs(root string, runs []plan.Run) (string, error) {
	files, err := inputFiles(root, runs)
	if err != nil {
		return "", err
	}
	return contentOf(files)
}

func addFile(h io.Writer, name, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	_, err = fmt.Fprintf(h, "%s %x\n", name, sum.Sum(nil))
	return err
}

// ErrBusy is returned while another manager works in the folder.
var ErrBusy = errors.New("another campaign runs in this folder; wait for it, or give another folder with --dir")

// folder is the folder of a campaign, held by one manager.
type folder struct{ lock *os.File }

// open takes a folder for a campaign. An unfinished campaign with the same head continues; files of another campaign
// are cleared away, and so is everything if fresh is set. It returns the number of records cleared away.
func open(dir string, head *Head, fresh bool) (_ *folder, dropped int, err error) {
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return nil, 0, fmt.Errorf("folder %s: it is a file; give a folder with --dir", dir)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, 0, err
	}
	if err := vacant(dir); err != nil {
		return nil, 0, err
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, 0, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		lock.Close()
		return nil, 0, fmt.Errorf("folder %s: %w", dir, ErrBusy)
	}
	f := &folder{lock}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	old, err := ReadHead(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Join(dir, recordsDir)); err == nil {
			fresh = true // records without a head are worthless
		}
	case err != nil:
		return nil, 0, err
	}
	if fresh || old != nil && old.Fingerprint != head.Fingerprint {
		if n, err := os.ReadDir(filepath.Join(dir, recordsDir)); err == nil {
			dropped = len(n)
		}
		// Remove the head last: without it the records count for nothing.
		for _, name := range []string{recordsDir, workDir, headName} {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				return nil, 0, err
			}
		}
	}
	for _, name := range []string{recordsDir, workDir} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o777); err != nil {
			return nil, 0, err
		}
	}
	if old != nil && !fresh && old.Fingerprint == head.Fingerprint {
		head = head.earlier(old)
	}
	return f, dropped, writeHead(dir, head)
}

// earlier returns the head with the beginning and revision of the one that began first, and without tools if theirs
// differ, because no version then stands for all records. Both are heads of one campaign: of parts of it, or of its
// beginning and its continuation.
func (h *Head) earlier(other *Head) *Head {
	x := *h
	if !other.Began.IsZero() && other.Began.Before(h.Began) {
		x.Began, x.Revision = other.Began, other.Revision
	}
	if other.Tools != h.Tools {
		x.Tools = ""
	}
	return &x
}

// vacant returns an error for a folder that no campaign has used and that holds files which a campaign would clear
// away.
func vacant(dir string) error {
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	if has(lockName) || has(headName) {
		return nil
	}
	for _, name := range []string{recordsDir, workDir} {
		if has(name) {
			return fmt.Errorf("folder %s holds %s that is of no campaign, and a campaign would delete it; give another folder "+
				"with --dir", dir, name)
		}
	}
	return nil
}

func (f *folder) close() { f.lock.Close() }

func writeHead(dir string, head *Head) error {
	return report.WriteFile(filepath.Join(dir, headName), func(w io.Writer) error { return report.EncodeJSON(w, head) })
}

// ReadHead reads the head of the campaign in a folder. It returns an error that wraps fs.ErrNotExist if there is none.
func ReadHead(dir string) (*Head, error) {
	path := filepath.Join(dir, headName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("folder %s holds no campaign: %w; give one that goldwire ci run, shard or merge has written",
			dir, err)
	}
	h := new(Head)
	if err := json.Unmarshal(text, h); err != nil {
		return nil, fmt.Errorf("file %s is damaged: %w; delete the folder and run again", path, err)
	}
	if len(h.Runs) == 0 || h.Fingerprint == "" {
		return nil, fmt.Errorf("file %s holds no runs; delete the folder and run again", path)
	}
	return h, nil
}
