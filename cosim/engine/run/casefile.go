package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
)

// ReplaySource is the source of a run that replays a saved case.
const ReplaySource = "replay"

// SavedCase is a failing episode as stored in a file: the events that still fail, and how the ports are driven.
type SavedCase struct {
	Form    int            `json:"goldwire_case"` // 1
	Block   string         `json:"block"`
	Schema  string         `json:"schema_hash"`
	Compare string         `json:"compare_hash,omitempty"` // event.Block.CompareHash
	Params  map[string]int `json:"params"`
	Seed    uint64         `json:"seed"`
	Episode string         `json:"episode"`
	Drawn   uint64         `json:"episode_seed"`
	Drive   stim.DriveSpec `json:"drive"`
	Items   []SavedItem    `json:"items"`
}

// SavedItem is one transfer of a case; Text is for people only.
type SavedItem struct {
	Text  string   `json:"text"`
	Lane  int      `json:"lane"`
	Wait  uint8    `json:"wait,omitempty"`
	Pair  bool     `json:"pair,omitempty"`
	Gap   uint16   `json:"gap,omitempty"`
	More  bool     `json:"more,omitempty"`
	Late  bool     `json:"late,omitempty"`
	Words []uint64 `json:"words"`
}

// savedItem returns an item in the form of a file.
func savedItem(it *stim.Item, text string) SavedItem {
	return SavedItem{text, it.Lane, it.Wait, it.Pair, it.Gap, it.More, it.Late, it.Words}
}

func (s *SavedItem) item() stim.Item {
	return stim.Item{Lane: s.Lane, Wait: s.Wait, Pair: s.Pair, Gap: s.Gap, More: s.More, Late: s.Late, Words: s.Words}
}

// caseForm is the version of the file format that this program writes and reads.
const caseForm = 1

// ReadCase reads a saved case. It errors if the file is not one.
func ReadCase(path string) (*SavedCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("replay: %w", err)
	}
	var c SavedCase
	if err := json.Unmarshal(text, &c); err != nil {
		return nil, fmt.Errorf("replay %s: not a saved case: %w", path, err)
	}
	switch {
	case c.Form != caseForm:
		return nil, fmt.Errorf("replay %s: not a saved case of form %d; cosim --save-case FILE writes one", path, caseForm)
	case c.Block == "":
		return nil, fmt.Errorf("replay %s: it names no block; cosim --save-case FILE writes one that does", path)
	case len(c.Items) == 0:
		return nil, fmt.Errorf("replay %s: it has no events, so it would compare nothing", path)
	case len(c.Drive.Resets) == 0:
		return nil, fmt.Errorf("replay %s: its drive has no reset that brings the block up", path)
	}
	return &c, nil
}

// fits returns an error unless a case is for this block with these parameters.
func (c *SavedCase) fits(b *event.Block, params map[string]int) error {
	if c.Block != b.Name || c.Schema != b.Hash() {
		return fmt.Errorf("replay: the case is of block %s, schema hash %s; the design of block %s, schema hash %s", c.Block,
			c.Schema, b.Name, b.Hash())
	}
	if c.Compare != b.CompareHash() {
		return fmt.Errorf("replay: the case was found with the compare hash %s, and the schema of block %s has %s; "+
			"replay it with the masks with which it was found",
			event.CompareName(c.Compare), b.Name, event.CompareName(b.CompareHash()))
	}
	for _, p := range b.Params {
		if c.Params[p.Name] != params[p.Name] {
			return fmt.Errorf("replay: the case was found with %s=%d, the design has %d", p.Name, c.Params[p.Name],
				params[p.Name])
		}
	}
	l := event.NewLayout(b)
	fits := func(lane int, words []uint64) bool {
		return lane >= 0 && lane < len(b.StreamsOf(event.In)) && len(words) == l.In.Words && words[0]&l.In.ControlMask() == 0
	}
	for i := range c.Items {
		if it := &c.Items[i]; !fits(it.Lane, it.Words) {
			return fmt.Errorf("replay: event %d of the case fits no input stream of block %s", i, b.Name)
		}
	}
	for i := range c.Drive.Relief {
		if it := &c.Drive.Relief[i]; !fits(it.Lane, it.Words) {
			return fmt.Errorf("replay: relief %d of the case's drive fits no input stream of block %s", i, b.Name)
		}
	}
	return nil
}

// replay opens the case of cfg.Replay as a source of one episode.
func (c *Config) replay(b *event.Block, params map[string]int) (stim.Source, error) {
	s, err := ReadCase(c.Replay)
	if err != nil {
		return nil, err
	}
	if err := s.fits(b, params); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Replay, err)
	}
	items := make([]stim.Item, len(s.Items))
	for i := range s.Items {
		items[i] = s.Items[i].item()
	}
	return &caseSource{ep: stim.Recorded(s.Episode, s.Block, s.Drawn, s.Drive, items)}, nil
}

// caseSource yields one episode.
type caseSource struct{ ep *stim.Episode }

func (s *caseSource) Next() (*stim.Episode, bool) {
	ep := s.ep
	s.ep = nil
	return ep, ep != nil
}

func (s *caseSource) Err() error { return nil }
func (s *caseSource) Close()     {}

// saveCase writes the shortest failing events to cfg.SaveCase, or all of them if no shorter list was found, and notes
// the file.
func (c *Config) saveCase(m *report.Mismatch, b *event.Block, params map[string]int, rec *play.Recording,
	words func(*stim.Item) string) error {
	if c.SaveCase == "" {
		return nil
	}
	s := SavedCase{Form: caseForm, Block: b.Name, Schema: b.Hash(), Compare: b.CompareHash(), Params: params,
		Seed: c.Seed, Episode: rec.Name, Drawn: rec.Seed, Drive: rec.Drive}
	for i := range rec.Items {
		it := &rec.Items[i]
		s.Items = append(s.Items, savedItem(it, words(it)))
	}
	out, err := json.MarshalIndent(&s, "", " ")
	if err != nil {
		return fmt.Errorf("save-case: %w", err)
	}
	if err := os.WriteFile(c.SaveCase, append(out, '\n'), 0o644); err != nil {
		return fmt.Errorf("save-case: %w", err)
	}
	again := *c
	again.Replay, again.Source, again.Episode, again.Case = c.SaveCase, ReplaySource, "", ""
	m.AddNote("the shortest events that fail are saved; repeat them with: " + again.command())
	return nil
}

// GuidedSource is the source of a run that plays a corpus of goldwire guide.
const GuidedSource = corpus.SourceName

// corpusDir returns the folder of the corpus: the given one, or the one beside the block's directed cases.
func (c *Config) corpusDir() string {
	return cmp.Or(c.Corpus, filepath.Join(c.Root, "vectors", "stim", c.Block, GuidedSource))
}

// guided opens the corpus as a source, or one case of it. It returns the number of events that the whole corpus
// completes. name is GuidedSource or the name of the case.
func (c *Config) guided(b *event.Block, name string, params map[string]int) (stim.Source, uint64, error) {
	all, err := corpus.Read(c.corpusDir(), b)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	src, err := all.Open(name, params)
	if err != nil {
		return nil, 0, fmt.Errorf("%w: %w", ErrConfig, err)
	}
	return src, uint64(all.Completed()), nil
}

// checkGuided checks the settings of a run that plays a corpus.
func (c *Config) checkGuided() error {
	switch {
	case c.Source == GuidedSource && c.Bind.SchemaOnly():
		return fmt.Errorf("source %s: block %s has a schema of your own and no model to guide events by; give random",
			GuidedSource, c.Block)
	case c.Source == GuidedSource && c.reference().OwnEvents():
		return fmt.Errorf("source %s and --expect: each has its own events; keep one", GuidedSource)
	case c.Source != GuidedSource && c.Corpus != "":
		return errors.New("--corpus: only the source guided plays a corpus; leave it out, or give --source guided")
	}
	return nil
}
