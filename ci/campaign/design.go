package campaign

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// designFiles returns, sorted, the files that make up the design of a dut.yaml, as far as it names them: sources and
// option files, the files in folders of includes and libraries, and files that sources include or load, wherever they
// are. If a design cannot be read, the run itself will refuse it.
func designFiles(root, dut string) ([]string, error) {
	text, err := os.ReadFile(dut)
	if err != nil {
		return nil, err
	}
	home := filepath.Dir(dut)
	d := &designReader{home: home, dirs: []string{home, root}, seen: map[string]bool{dut: true}}
	var doc yaml.Node
	if yaml.Unmarshal(text, &doc) == nil {
		d.scalars(&doc)
	}
	for len(d.queue) > 0 {
		for ; len(d.queue) > 0; d.queue = d.queue[1:] {
			if err := d.read(d.queue[0]); err != nil {
				return nil, err
			}
		}
		for _, name := range d.included { // a folder may come after the file that needs it
			for _, dir := range d.dirs {
				d.add(under(dir, name))
			}
		}
	}
	slices.Sort(d.files)
	return d.files, nil
}

// designReader collects the files of a design.
type designReader struct {
	home     string   // folder of the dut.yaml
	dirs     []string // where included files may be
	included []string // names
	queue    []string // files to read
	files    []string
	seen     map[string]bool
}

// scalars takes every value of a dut.yaml as a name, or as words that contain names.
func (d *designReader) scalars(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		d.name(d.home, n.Value)
		d.words(d.home, n.Value)
	}
	for _, c := range n.Content {
		d.scalars(c)
	}
}

// words takes the names out of flags: +incdir+../inc, -I../inc, -f files.f.
func (d *designReader) words(dir, text string) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n\"',=+;", r) }) {
		d.name(dir, w)
		for _, flag := range []string{"-I", "-L", "-y", "-v", "-f", "-F"} {
			if rest, ok := strings.CutPrefix(w, flag); ok {
				d.name(dir, rest)
			}
		}
	}
}

// name adds the files that a name stands for. It may be a pattern or a folder, which stands for the files directly in
// it.
func (d *designReader) name(dir, name string) {
	if name = os.ExpandEnv(name); name == "" {
		return
	}
	found, _ := filepath.Glob(under(dir, name)) // a malformed pattern names nothing
	for _, path := range found {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			d.add(path)
			continue
		}
		d.dirs = append(d.dirs, path)
		entries, _ := os.ReadDir(path)
		for _, e := range entries {
			d.add(filepath.Join(path, e.Name()))
		}
	}
}

// add adds a regular file.
func (d *designReader) add(path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || d.seen[path] {
		return
	}
	d.seen[path] = true
	d.files, d.queue = append(d.files, path), append(d.queue, path)
}

// mentioned matches the names of files that a source reads.
var mentioned = regexp.MustCompile("(?:`include|#[ \\t]*include|\\$readmem[hb][ \\t]*\\()\\s*\"([^\"\\n]+)\"")

// sourceEndings are the endings of files without flags.
var sourceEndings = []string{".sv", ".v", ".svh", ".vh", ".h", ".hpp", ".c", ".cc", ".cpp", ".cxx"}

// maxOptions is the size limit of option files, in bytes: larger files are data.
const maxOptions = 1 << 20

// read adds the files that a file names.
func (d *designReader) read(path string) error {
	source := slices.Contains(sourceEndings, filepath.Ext(path))
	if info, err := os.Stat(path); err == nil && !source && info.Size() > maxOptions {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !source {
		d.words(d.home, string(text))
		d.words(filepath.Dir(path), string(text))
		return nil
	}
	for _, m := range mentioned.FindAllStringSubmatch(string(text), -1) {
		d.add(under(filepath.Dir(path), m[1]))
		if !slices.Contains(d.included, m[1]) {
			d.included = append(d.included, m[1])
		}
	}
	return nil
}
