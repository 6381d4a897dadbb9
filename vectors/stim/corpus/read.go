package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// File is the name of the corpus file in its folder.
const File = "corpus.txt"

// ErrCorpus is wrapped by every error of Read and Parse.
var ErrCorpus = errors.New("corpus")

// Read reads the corpus in a folder. It errors when the file is missing, empty or cut off, when a line does not parse,
// or when the corpus is of another block or schema.
func Read(dir string, b *event.Block) (*Corpus, error) {
	path := filepath.Join(dir, File)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: no file %s; goldwire guide --block %s -o %s writes it, or name another folder "+
			"with --corpus", ErrCorpus, path, b.Name, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorpus, err)
	}
	c, err := Parse(string(text), b)
	if err != nil {
		return nil, fmt.Errorf("%w; file %s", err, path)
	}
	return c, nil
}

// Parse reads a corpus of a block from its text. It errors as Read does.
func Parse(text string, b *event.Block) (*Corpus, error) {
	h, err := readHead(text, b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorpus, err)
	}
	if !strings.HasSuffix(text, "\n") {
		return nil, fmt.Errorf("%w: its last line has no newline: the file was cut or changed; make it again", ErrCorpus)
	}
	out := &Corpus{Block: h.block, Schema: h.schema, Params: h.params}
	lang := casefile.Language{Block: b}
	all, err := lang.Parse(File, text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorpus, err)
	}
	words := event.NewLayout(b).In.Words
	for i := range all {
		s := stim.NewScript(words, h.params)
		if err := all[i].Compile(s); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorpus, err)
		}
		if err := playable(&all[i], s); err != nil {
			return nil, fmt.Errorf("%w: case %s %w", ErrCorpus, all[i].Name, err)
		}
		out.Cases = append(out.Cases, Case{Name: all[i].Name, Seed: s.Seed, Drive: s.Drive, Items: s.Items[:s.Used]})
	}
	if len(out.Cases) != h.cases || out.Events() != h.events {
		return nil, fmt.Errorf("%w: it has %d cases of %d events, its first line promises %d of %d: the file was cut or "+
			"changed; make it again", ErrCorpus, len(out.Cases), out.Events(), h.cases, h.events)
	}
	return out, nil
}

// playable returns an error for a case that cannot be played whole or replayed by name.
func playable(c *casefile.Scenario, s *stim.Script) error {
	last := 0 // items before the reset
	for _, r := range s.Drive.Resets {
		if r.After < last || r.After > s.Used {
			return fmt.Errorf("has a reset after %d of its %d items, but the reset before it comes after %d", r.After, s.Used,
				last)
		}
		last = r.After
	}
	switch {
	case !strings.HasPrefix(c.Name, SourceName+"/"):
		return fmt.Errorf("is not named %s/...: it could not be played alone", SourceName)
	case c.Params != nil:
		return errors.New("states params: those of the first line hold for all cases")
	case s.Used == 0:
		return errors.New("has no events, so it would compare nothing")
	case len(s.Drive.Resets) == 0 || s.Drive.Resets[0].After > 0:
		return errors.New("has no reset at its beginning, which brings the block up")
	}
	return nil
}

// readHead reads the first line.
func readHead(text string, b *event.Block) (*head, error) {
	line, _, _ := strings.Cut(text, "\n")
	rest, ok := strings.CutPrefix(line, headWord)
	if !ok {
		return nil, fmt.Errorf("its first line does not begin with %q, as goldwire guide writes it", headWord)
	}
	h := &head{params: map[string]int{}}
	for _, x := range strings.Fields(rest) {
		name, value, _ := strings.Cut(x, "=")
		switch name {
		case "block":
			h.block = value
			continue
		case "schema":
			h.schema = value
			continue
		}
		n, err := strconv.Atoi(value)
		switch {
		case err != nil:
			return nil, fmt.Errorf("first line, %q: want a number", x)
		case name == "cases":
			h.cases = n
		case name == "events":
			h.events = n
		case b.Param(name) == nil:
			return nil, fmt.Errorf("first line, %q: block %s has no such parameter", x, b.Name)
		default:
			h.params[name] = n
		}
	}
	switch {
	case h.block != b.Name || h.schema != b.Hash():
		return nil, fmt.Errorf("it is of block %s, schema hash %s, but the design is of block %s, schema hash %s; "+
			"make it again with goldwire guide", h.block, h.schema, b.Name, b.Hash())
	case h.cases < 1 || h.events < 1:
		return nil, fmt.Errorf("it is empty: %d cases of %d events would compare nothing; make it again with "+
			"goldwire guide", h.cases, h.events)
	case len(h.params) != len(b.Params):
		return nil, errors.New("its first line does not have all parameters of the block; make it again")
	}
	if _, err := b.Values(h.params); err != nil {
		return nil, err
	}
	return h, nil
}
