package campaign

import (
	"errors"
	"io/fs"
)

// Campaign is the contents of a campaign's folder.
type Campaign struct {
	Head *Head
	// Records are those of the runs of Head, in that order; nil for a run without one.
	Records []*Record
	Summary *Summary
}

// Read reads the campaign in a folder. It errors if there is none, or if its head or a record is damaged or belongs to
// something else. Runs without a record are counted as missing in the summary.
func Read(dir string) (*Campaign, error) {
	head, err := ReadHead(dir)
	if err != nil {
		return nil, err
	}
	if err := strangers(dir, head); err != nil {
		return nil, err
	}
	c := &Campaign{Head: head, Records: make([]*Record, len(head.Runs))}
	records := map[string]*Record{}
	for i := range head.Runs {
		run := &head.Runs[i]
		r, err := readRecord(dir, head.Fingerprint, run)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, err
		}
		c.Records[i], records[run.ID] = r, r
	}
	c.Summary = summarise(head, head.Runs, records)
	return c, nil
}
