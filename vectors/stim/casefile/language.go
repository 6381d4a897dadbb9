package casefile

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Language is the text language of the scenarios of a block with several streams. It defines what the words mean for
// the block. README.md has the grammar.
type Language struct {
	Block *event.Block

	// Answers maps each input stream to the output stream whose transfers or packets answer it one for one.
	Answers map[string]string

	// Tag is a field that an answer repeats of the item that it answers, or "". Where items can be dropped it shows whose
	// answer came.
	Tag string

	// Leaves describes the output stream of packets that another stream's answers release, for blocks whose packets do not
	// answer the stream they came in on. The zero value means none.
	Leaves Leave

	// Unasked is an output stream that answers no item, or "". A case checks it by words of the block, or by lines that
	// begin with its name. Each such line is compared with the next transfer of the stream. Fields that the line does not
	// name must be 0, except those in Loose.
	Unasked string
	Loose   []string

	// Beside are output streams that no line is about. What leaves there is judged elsewhere.
	Beside []string

	// Aliases are other names of input streams and kinds.
	Aliases map[string]string

	// Wait is the default of what an item waits for, Gap of the cycles after that.
	Wait uint8
	Gap  int

	// Register returns the head and the fields, without data, of the line that writes a register. If it is nil, a
	// CFG_WRITE to addr writes the registers of the schema.
	Register func(name string) (head string, fields map[string]string, err error)

	// Begin returns, for each new case, a function that sets the fields that a line leaves open. It may be nil.
	Begin func() func(head string, fields map[string]uint64)

	// Send appends the beats of a packet. It is nil if no stream carries packets.
	Send func(s *stim.Script, p *Packet)

	lay     *event.Layout
	defines map[string]line
}

// Leave describes the packets that leave at Stream: one for each answer of stream By in which no flag of Unless is set.
type Leave struct {
	Stream, By string
	Unless     []string
	If         string // and when this flag of it is set, if there is one
}

// Packet is a packet that a line sends.
type Packet struct {
	Stream string
	Data   []byte
	Empty  bool // add a last beat without bytes if the frame fills its last beat
	Wait   uint8
	Fields map[string]uint64 // fields of the first beat
}

// Is reports whether a flag of the packet is set.
func (p *Packet) Is(flag string) bool { return p.Fields[flag] != 0 }

// Scenario is a case as text, before it is written for a size of the block.
type Scenario struct {
	Name, About string

	// Params are the parameters that the demands apply to; nil if they apply to all.
	Params map[string]int

	lang *Language
	at   string
	vars map[string]string
	body []line
}

// Read compiles the scenario files *.txt of a folder in the order of their names. Errors name the line. Read does not
// find errors that depend on the size of the block.
func (l *Language) Read(files fs.FS, dir string) ([]Scenario, error) {
	l.lay, l.defines = event.NewLayout(l.Block), map[string]line{}
	var out []Scenario
	err := eachText(files, dir, "scenarios of "+l.Block.Name, func(name, text string) (err error) {
		out, err = l.parse(out, name, text)
		return err
	})
	return out, err
}

// eachText calls do for the files *.txt of a folder in the order of their names. It errors when there are none.
func eachText(files fs.FS, dir, what string, do func(name, text string) error) error {
	names, err := fs.Glob(files, path.Join(dir, "*.txt"))
	if err == nil && len(names) == 0 {
		err = fmt.Errorf("%s: no file in %s", what, dir)
	}
	for i := 0; i < len(names) && err == nil; i++ {
		var text []byte
		if text, err = fs.ReadFile(files, names[i]); err == nil {
			err = do(path.Base(names[i]), string(text))
		}
	}
	return err
}

// Parse compiles the scenarios of one text; file is its name for messages. It errors as Read does.
func (l *Language) Parse(file, text string) ([]Scenario, error) {
	l.lay, l.defines = event.NewLayout(l.Block), map[string]line{}
	return l.parse(nil, file, text)
}

func (l *Language) parse(out []Scenario, file, text string) ([]Scenario, error) {
	tree, err := readTree(file, text)
	if err == nil {
		out, err = l.cases(out, tree, nil)
	}
	if err != nil {
		return nil, fmt.Errorf("scenarios of %s, %w", l.Block.Name, err)
	}
	return out, nil
}

// cases appends the cases of a tree, one for each round of the enclosing loops.
func (l *Language) cases(out []Scenario, tree []line, vars map[string]string) ([]Scenario, error) {
	var err error
	for _, x := range tree {
		switch x.head {
		case "define":
			name := strings.TrimSpace(strings.TrimPrefix(x.text, "define"))
			if _, twice := l.defines[name]; twice || name == "" {
				return nil, fmt.Errorf("%s: define %s: named twice, or without a name", x.at, name)
			}
			l.defines[name] = x
		case "cases":
			var rounds []map[string]string
			if rounds, err = loop(x.text, constants); err != nil {
				return nil, fmt.Errorf("%s: %w", x.at, err)
			}
			for _, round := range rounds {
				if out, err = l.cases(out, x.body, with(vars, round)); err != nil {
					return nil, err
				}
			}
		case "case":
			text, err := substitute(x.text, vars, constants)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", x.at, err)
			}
			words := strings.Fields(text)[1:]
			if len(words) == 0 || strings.ToLower(words[0]) != words[0] {
				return nil, fmt.Errorf("%s: a case needs a lower-case name", x.at)
			}
			sc := Scenario{Name: words[0], About: strings.Join(words[1:], " "), lang: l, at: x.at, vars: vars, body: x.body}
			for i := range out {
				if out[i].Name == sc.Name {
					return nil, fmt.Errorf("%s: case %s: named twice", x.at, sc.Name)
				}
			}
			if err := sc.header(); err != nil {
				return nil, err
			}
			out = append(out, sc)
		}
	}
	return out, nil
}

// header reads the parameters that a case states.
func (c *Scenario) header() error {
	for len(c.body) > 0 && c.body[0].head == "params" {
		err := addParams(&c.Params, c.lang.Block, strings.Fields(c.body[0].text)[1:],
			func(text string) (uint64, error) { return number(text, constants) })
		if err != nil {
			return fmt.Errorf("%s: %w", c.body[0].at, err)
		}
		c.body = c.body[1:]
	}
	return nil
}

// addParams reads words NAME=VALUE with parameters of a block.
func addParams(to *map[string]int, b *event.Block, words []string, value func(text string) (uint64, error)) error {
	if *to == nil {
		*to = map[string]int{}
	}
	for _, w := range words {
		name, text, _ := strings.Cut(w, "=")
		v, err := value(text)
		if err != nil || b.Param(name) == nil {
			return fmt.Errorf("params %q: want the name of a parameter and its value", w)
		}
		(*to)[name] = int(v)
	}
	return nil
}

// with returns the variables of an inner scope.
func with(outer, inner map[string]string) map[string]string {
	out := make(map[string]string, len(outer)+len(inner))
	maps.Copy(out, outer)
	maps.Copy(out, inner)
	return out
}

// Write is Compile for files that are part of the program; a test writes each of their cases. It panics with the error
// of Compile.
func (c *Scenario) Write(s *stim.Script) {
	if err := c.Compile(s); err != nil {
		panic(err.Error())
	}
}

// Compile appends the items of a scenario to a script, and its demands to the script's judge. Errors name the line.
func (c *Scenario) Compile(s *stim.Script) error {
	w := &writer{lang: c.lang, s: s, judge: judgeOf(c.lang, s, c), frames: map[string]sent{},
		defaults: map[string]map[string]uint64{}}
	if c.lang.Begin != nil {
		w.fill = c.lang.Begin()
	}
	vars := with(c.vars, nil)
	for name, v := range s.Params {
		vars[name] = fmt.Sprint(v)
	}
	if err := w.lines(c.body, vars); err != nil {
		return fmt.Errorf("scenario %s of %s: %w", c.Name, c.lang.Block.Name, err)
	}
	return nil
}

// OwnTags is a Begin that gives each packet a tag of its own, unless its line gives one.
func OwnTags() func(head string, fields map[string]uint64) {
	n := uint64(1) << 16
	return func(head string, fields map[string]uint64) {
		if _, ok := fields["tag"]; !ok && head == "packet" {
			n++
			fields["tag"] = n
		}
	}
}
