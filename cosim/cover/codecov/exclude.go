package codecov

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Exclusion leaves points out of the count. It matches the points that all its settings match; at least one of File and
// Instance, and one of Text and Point, must be there.
type Exclusion struct {
	File     string `yaml:"file"`     // end of the path, such as ccc/divide.sv
	Text     string `yaml:"text"`     // part of the source line of the point
	Instance string `yaml:"instance"` // pattern, such as TOP.ccc_top.*
	Point    string `yaml:"point"`    // pattern of the name, such as else or ev_addr?4?:*
	Reason   string `yaml:"reason"`

	at int // line in the YAML
}

// Exclusions are those of a file beside the RTL.
type Exclusions struct {
	Path string
	Root string // of the repository, where the sources are that texts are looked up in
	List []Exclusion
}

// LoadExclusions reads a file of exclusions for a repository:
//
//	exclusions:
//	  - file: txstate/txstate.sv
//	    text: "default:"
//	    reason: all four values have a case of their own
func LoadExclusions(root, file string) (*Exclusions, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("exclusions: %w", err)
	}
	var doc struct {
		Exclusions []yaml.Node `yaml:"exclusions"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("exclusions %s: %w", file, err)
	}
	x := &Exclusions{Path: file, Root: root}
	for i := range doc.Exclusions {
		n := &doc.Exclusions[i]
		e := Exclusion{at: n.Line}
		raw, err := yaml.Marshal(n)
		if err == nil {
			strict := yaml.NewDecoder(bytes.NewReader(raw))
			strict.KnownFields(true)
			err = strict.Decode(&e)
		}
		if err == nil {
			err = e.check()
		}
		if err != nil {
			return nil, fmt.Errorf("exclusions %s:%d: %w", file, n.Line, err)
		}
		x.List = append(x.List, e)
	}
	return x, nil
}

func (e *Exclusion) check() error {
	switch {
	case strings.TrimSpace(e.Reason) == "":
		return errors.New("an exclusion needs a reason")
	case e.File == "" && e.Instance == "":
		return errors.New("an exclusion needs a file or an instance")
	case e.Text == "" && e.Point == "":
		return errors.New("an exclusion needs a text of the line or a point")
	case e.Text != "" && e.File == "":
		return errors.New("a text needs the file that it is in")
	}
	for _, pattern := range []string{e.Instance, e.Point} {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("pattern %q: %w", pattern, err)
		}
	}
	return nil
}

func (e *Exclusion) matches(p *Point, source func(string, int) (string, error)) (bool, error) {
	if e.File != "" && p.File != e.File && !strings.HasSuffix(p.File, "/"+e.File) {
		return false, nil
	}
	if ok, _ := path.Match(e.Instance, p.Instance); !ok && e.Instance != "" {
		return false, nil
	}
	if ok, _ := path.Match(e.Point, p.Name); !ok && e.Point != "" {
		return false, nil
	}
	if e.Text == "" {
		return true, nil
	}
	line, err := source(p.File, p.Line)
	return strings.Contains(line, e.Text), err
}

// Apply returns the keys that are left out. It errors when an exclusion matches no point, or one that was hit.
func (x *Exclusions) Apply(f *File) (map[string]bool, error) {
	points, err := f.Points()
	if err != nil {
		return nil, err
	}
	texts := map[string][]string{}
	source := func(file string, n int) (string, error) {
		if _, ok := texts[file]; !ok {
			path := file
			if !filepath.IsAbs(path) {
				path = filepath.Join(x.Root, path)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return "", fmt.Errorf("source of the coverage: %w", err)
			}
			texts[file] = strings.Split(string(text), "\n")
		}
		if n < 1 || n > len(texts[file]) {
			return "", fmt.Errorf("%s has no line %d: it is not what was built; make the coverage again", file, n)
		}
		return texts[file][n-1], nil
	}
	out := map[string]bool{}
	var errs []error
	for i := range x.List {
		e := &x.List[i]
		matched, hit := 0, ""
		for j := range points {
			ok, err := e.matches(&points[j], source)
			if err != nil {
				return nil, fmt.Errorf("exclusions %s:%d: %w", x.Path, e.at, err)
			}
			if !ok {
				continue
			}
			matched++
			out[points[j].Key] = true
			if f.Counts[points[j].Key] > 0 && hit == "" {
				hit = (&place{Point: points[j]}).describe()
			}
		}
		switch {
		case matched == 0:
			errs = append(errs, fmt.Errorf("exclusions %s:%d: it matches no point; remove it", x.Path, e.at))
		case hit != "":
			errs = append(errs, fmt.Errorf("exclusions %s:%d: %s was hit; remove it", x.Path, e.at, hit))
		}
	}
	return out, errors.Join(errs...)
}
