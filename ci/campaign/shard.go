package campaign

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/cosim/report"
)

// Shard returns the runs of shard i of n, 1 to n, by index: every n-th run, so that each shard gets both short and long
// runs. It depends only on the head. It errors if the shard does not exist.
func Shard(h *Head, i, n int) ([]int, error) {
	if n < 1 || i < 1 || i > n {
		return nil, fmt.Errorf("shard %d/%d: give one from 1/%d to %d/%d", i, n, max(n, 1), max(n, 1), max(n, 1))
	}
	out := []int{} // nil would mean all
	for k := range h.Runs {
		if k%n == i-1 {
			out = append(out, k)
		}
	}
	return out, nil
}

// Prepare writes the head of a campaign into its own folder, without records. Merged with the folders of shards, it
// accounts for the runs of shards that never began.
func Prepare(dir string, head *Head) error {
	f, _, err := open(dir, head, true)
	if err != nil {
		return err
	}
	f.close()
	return nil
}

// Merge combines the records of the folders, shards of one campaign, in the folder dir, and returns the state of all
// runs of that campaign. A folder without a campaign belongs to a shard that never began: its runs are missing. Merge
// errors if all folders are like that, and for folders of different campaigns. A run whose record is damaged, or whose
// two records disagree, is an error in that state.
func Merge(dir string, from []string) (*Summary, error) {
	head, records, err := gather(from)
	if err != nil {
		return nil, err
	}
	own := slices.ContainsFunc(from, func(d string) bool { return report.SameFile(d, dir) })
	f, _, err := open(dir, head, !own)
	if err != nil {
		return nil, err
	}
	defer f.close()
	for id, r := range records {
		if err := r.write(filepath.Join(dir, recordsDir, id+".json")); err != nil {
			return nil, err
		}
	}
	return summarise(head, head.Runs, records), nil
}

// Gather returns the result of Merge without writing anything.
func Gather(from []string) (*Summary, error) {
	head, records, err := gather(from)
	if err != nil {
		return nil, err
	}
	return summarise(head, head.Runs, records), nil
}

func gather(from []string) (head *Head, records map[string]*Record, err error) {
	if len(from) == 0 {
		return nil, nil, errors.New("no folder to merge; give those of the shards")
	}
	var began []string // folders with a campaign
	var absent error
	for _, d := range from {
		h, err := ReadHead(d)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			absent = cmp.Or(absent, err)
			continue
		case err != nil:
			return nil, nil, err
		case head == nil:
			head = h
		case h.Fingerprint != head.Fingerprint:
			return nil, nil, fmt.Errorf("folders %s and %s are of different campaigns (program, plan, stage, night or hdl/ "+
				"differ); merge shards of one", began[0], d)
		}
		head = head.earlier(h)
		began = append(began, d)
	}
	if head == nil {
		return nil, nil, absent
	}
	records = map[string]*Record{}
	origin := map[string]string{}
	for _, d := range began {
		if err := strangers(d, head); err != nil {
			return nil, nil, err
		}
		for i := range head.Runs {
			run := &head.Runs[i]
			r, err := readRecord(d, head.Fingerprint, run)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil:
				r = broken(head, run, err.Error())
			}
			if old := records[run.ID]; old != nil {
				chosen := choose(old, r)
				if chosen == nil {
					chosen = broken(head, run, fmt.Sprintf("folders %s and %s hold different answers; one of them is wrong, and "+
						"none is taken", origin[run.ID], d))
					chosen.Doubt = true
				}
				if chosen == old {
					continue
				}
				r = chosen
			}
			records[run.ID], origin[run.ID] = r, d
		}
	}
	return head, records, nil
}

// broken returns the record of a run that has no usable answer, so that all other runs still count.
func broken(head *Head, run *plan.Run, why string) *Record {
	return &Record{Fingerprint: head.Fingerprint, Run: *run, Outcome: Error, Reason: why, Exit: -1}
}

// choose returns which of two records of one run counts, or nil if they disagree. A difference that was found stays
// found, whatever broke elsewhere.
func choose(a, b *Record) *Record {
	broke := func(r *Record) bool { return r.Outcome == Error && !r.Doubt }
	switch {
	case a.agrees(b) && a.From == nil && b.From != nil:
		return a // only one folder ran it
	case a.agrees(b):
		return b
	case a.Outcome == Failed && (broke(b) || b.Outcome == Failed && b.Result == nil):
		return a
	case b.Outcome == Failed && (broke(a) || a.Outcome == Failed && a.Result == nil):
		return b
	}
	return nil
}

// agrees reports whether two records are the same except for their cost.
func (r *Record) agrees(s *Record) bool {
	a, b := r.Result, s.Result
	if a == nil || b == nil {
		return r.Outcome == s.Outcome && a == b
	}
	return r.Outcome == s.Outcome && a.Digest == b.Digest && a.Failure.Same(b.Failure)
}

// strangers returns an error if a folder holds a record that belongs to no run of the campaign.
func strangers(dir string, head *Head) error {
	files, err := os.ReadDir(filepath.Join(dir, recordsDir))
	if err != nil {
		return fmt.Errorf("folder %s: %w", dir, err)
	}
	known := map[string]bool{}
	for i := range head.Runs {
		known[head.Runs[i].ID+".json"] = true
	}
	for _, f := range files {
		if !known[f.Name()] && !strings.HasSuffix(f.Name(), ".tmp") {
			return fmt.Errorf("folder %s: the record %s is of no run of this campaign; delete it", dir, f.Name())
		}
	}
	return nil
}
