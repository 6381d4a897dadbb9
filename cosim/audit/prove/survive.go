package prove

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/cosim/audit/fault"
)

const survivorGroup = "survivors"

// Survivor names a fault of cosim/audit/fault/survivors.yaml by what it changes.
type Survivor struct {
	Block  string `yaml:"block"`
	Before string `yaml:"before"`
	After  string `yaml:"after"`
}

// Pair is a harness that holds a module of the RTL beside the same module with a fault, <module>_planted, and proves
// that both do the same. It is one proof for each of its survivors; its twins change the planted module more.
type Pair struct {
	Row    `yaml:",inline"`
	Module string     `yaml:"module"`
	Faults []Survivor `yaml:"faults"`
}

// LoadPairs returns the rows of hdl/prove/survivors.yaml.
func LoadPairs(root string) ([]Pair, error) {
	var all []Pair
	if err := read(filepath.Join(root, "hdl", "prove", "survivors.yaml"), &all); err != nil {
		return nil, err
	}
	for i := range all {
		p := &all[i]
		p.Group, p.pair = survivorGroup, true
		if err := p.check(); err != nil {
			return nil, err
		}
		if p.Module == "" || len(p.Faults) == 0 {
			return nil, fmt.Errorf("%w: row %q: module or faults is missing", ErrProof, p.Name)
		}
	}
	return all, nil
}

// Survivors returns one row for each fault of the pairs, ready to play, and how many survivors there are in all. It
// returns an error for a pair whose fault is not in survivors.yaml, or in two pairs.
func Survivors(root string, pairs []Pair) (rows []Row, all int, err error) {
	arguments, err := fault.Arguments()
	if err != nil {
		return nil, 0, err
	}
	open := map[Survivor]fault.Argument{}
	for _, a := range arguments {
		open[Survivor{a.Block, a.Before, a.After}] = a
	}
	seen := map[Survivor]bool{}
	for i := range pairs {
		for _, s := range pairs[i].Faults {
			if _, ok := open[s]; !ok || seen[s] {
				return nil, 0, fmt.Errorf("%w: row %q: %s: %s -> %s is not in survivors.yaml, or stands twice here",
					ErrProof, pairs[i].Name, s.Block, s.Before, s.After)
			}
			seen[s] = true
		}
	}
	designs := map[string]*fault.Design{}
	for i := range pairs {
		p := &pairs[i]
		p.common = &common{}
		for n, s := range p.Faults {
			if designs[s.Block] == nil {
				if designs[s.Block], err = fault.Load(root, s.Block); err != nil {
					return nil, 0, err
				}
			}
			f, err := designs[s.Block].Lookup(open[s])
			if err != nil {
				return nil, 0, err
			}
			if f.Module() != p.Module {
				return nil, 0, fmt.Errorf("%w: row %q: the fault is in %s, not in %s", ErrProof, p.Name, f.Module(), p.Module)
			}
			r := p.Row
			r.Name = fmt.Sprintf("same-%s-%d", p.Name, n+1)
			r.Claim = fmt.Sprintf("%s: %s -> %s", s.Block, s.Before, s.After)
			r.planted = func(dir string) (string, error) { return p.plantedModule(dir, f.Planted()) }
			original := f.Original()
			r.twin = func(dir string, w Twin) (string, error) {
				if strings.Count(original, w.Find) != 1 {
					return "", fmt.Errorf("%w: row %q: twin: its text does not occur once: %s", ErrProof, r.Name, w.Find)
				}
				return p.plantedModule(dir, strings.Replace(original, w.Find, w.Put, 1))
			}
			rows = append(rows, r)
		}
	}
	return rows, len(arguments), nil
}

// Rest makes a row open if it depends on rows of the list that are not proven. It returns an error for the name of a
// row that is not played.
func Rest(rows []Row, all []Verdict) error {
	of := map[string]*Verdict{}
	for i := range all {
		of[all[i].Name] = &all[i]
	}
	for i := range rows {
		for _, name := range rows[i].Given {
			v := of[name]
			if v == nil || v.Group == survivorGroup {
				return fmt.Errorf("%w: row %s stands on %s, which is not played", ErrProof, rows[i].Name, name)
			}
			if !v.Proved() && all[i].Proved() {
				all[i].Failed = "it stands on " + name + ", which is not proven"
			}
		}
	}
	return nil
}

// common is what the survivors of one entry share: the copy without a fault, and the outcome of the twins, which do not
// depend on the fault.
type common struct {
	once    sync.Once
	without *circuit
	err     error

	asking  sync.Mutex
	answers map[[sha256.Size]byte]answer // of miters that were asked about

	tried  sync.Once
	twins  int
	failed string
	wrong  error
}

func (c *common) circuit(build func() (*circuit, error)) (*circuit, error) {
	c.once.Do(func() { c.without, c.err = build() })
	return c.without, c.err
}

// ask asks about a miter once: faults that leave the same miter, such as resets of instances that are cut, have one
// answer.
func (c *common) ask(ctx context.Context, m *model, r *Row) (answer, error) {
	text, err := os.ReadFile(filepath.Join(m.dir, m.file))
	if err != nil {
		return unknown, harness(err)
	}
	c.asking.Lock()
	defer c.asking.Unlock()
	key := sha256.Sum256(text)
	if got, ok := c.answers[key]; ok {
		return got, nil
	}
	got, err := ask(ctx, m, r)
	if err == nil && got != unknown {
		if c.answers == nil {
			c.answers = map[[sha256.Size]byte]answer{}
		}
		c.answers[key] = got
	}
	return got, err
}

// plantedModule writes a module, for a harness under the name <module>_planted, and returns the file.
func (p *Pair) plantedModule(dir, text string) (string, error) {
	head := regexp.MustCompile(`(?m)^module ` + p.Module + `\b`)
	if len(head.FindAllString(text, -1)) != 1 {
		return "", fmt.Errorf("%w: module %s does not begin once", ErrProof, p.Module)
	}
	name := p.Module
	if p.Engine != Same {
		name += "_planted"
	}
	return write(dir, name+".sv", head.ReplaceAllString(text, "module "+name))
}

// plant makes the tree of a twin: RTL with the fault, or a pair whose second half has it.
func (r *Row) plant(t tree, w Twin, dir string) (tree, error) {
	if r.twin == nil {
		return w.plant(t, filepath.Join(dir, "rtl"))
	}
	path, err := r.twin(dir, w)
	t.extra = path
	return t, err
}
