package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/ci/plan"
)

// inputFile is a file or a folder that runs read.
type inputFile struct {
	name string // its name in the fingerprint
	path string
	dir  bool
}

// inputFiles returns everything that runs read, each once: hdl/, and what their command lines name. A folder includes
// its contents; a dut.yaml includes its folder and the files elsewhere that the design names.
func inputFiles(root string, runs []plan.Run) ([]inputFile, error) {
	out, err := treeFiles(nil, "hdl", filepath.Join(root, "hdl"))
	if err != nil {
		return nil, err
	}
	seen := map[input]bool{}
	for i := range runs {
		for _, in := range inputs(runs[i].Args) {
			if seen[in] {
				continue
			}
			seen[in] = true
			if out, err = in.files(out, root); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// input is a word of a command line that may name a file, with its flag.
type input struct{ flag, value string }

// inputs returns the words of a command line after the command.
func inputs(args []string) (out []input) {
	flag := ""
	for i, a := range args {
		if name, value, given := strings.Cut(a, "="); given && strings.HasPrefix(name, "--") {
			out = append(out, input{name, value})
		} else if i > 0 {
			out = append(out, input{flag, a})
		}
		flag = a
	}
	return out
}

// files appends the files that the word names. A word that names nothing adds nothing, and neither does a folder under
// build/, where commands write.
func (in input) files(out []inputFile, root string) ([]inputFile, error) {
	path := under(root, in.value)
	info, err := os.Stat(path)
	built := filepath.Join(root, "build")
	switch {
	case err != nil || in.value == "":
		return out, nil //nolint:nilerr // not a file
	case info.IsDir() && path != built && !strings.HasPrefix(path, built+"/"):
		return treeFiles(out, in.value, path)
	case !info.Mode().IsRegular():
		return out, nil
	case in.flag != "--dut":
		return append(out, inputFile{name: in.value, path: path}), nil
	}
	if out, err = treeFiles(out, filepath.Dir(in.value), filepath.Dir(path)); err != nil {
		return nil, err
	}
	named, err := designFiles(root, path)
	if err != nil {
		return nil, err
	}
	for _, f := range named {
		name := f
		if rel, err := filepath.Rel(root, f); err == nil {
			name = rel
		}
		out = append(out, inputFile{name: in.value + " " + name, path: f})
	}
	return out, nil
}

// apart returns an error if the folder of a campaign is inside a folder that its runs read: the campaign would edit its
// own inputs. Folders named build are not read.
func apart(root, dir string, runs []plan.Run) error {
	files, err := inputFiles(root, runs)
	if err != nil {
		return err
	}
	read := map[string]bool{}
	for _, f := range files {
		if f.dir {
			read[f.path] = true
		}
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for below := ""; path != below; below, path = path, filepath.Dir(path) {
		real, err := filepath.EvalSymlinks(path)
		if name := filepath.Base(below); err == nil && read[real] && name != "build" && name != ".git" {
			return fmt.Errorf("folder %s: it is in %s, which the runs read; give another folder with --dir", dir, path)
		}
	}
	return nil
}

// under returns a path relative to a folder, unless it is absolute.
func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// treeFiles appends all files and folders of a folder, in order. It leaves out what git and builds write at the top.
func treeFiles(out []inputFile, name, dir string) ([]inputFile, error) {
	top, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(top, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(top, p)
		if err != nil {
			return err
		}
		if d.IsDir() && (rel == ".git" || rel == "build") {
			return fs.SkipDir
		}
		info, err := os.Stat(p)
		if err != nil || !info.Mode().IsRegular() && !d.IsDir() {
			return nil //nolint:nilerr // a dangling link holds nothing
		}
		out = append(out, inputFile{filepath.Join(name, rel), p, d.IsDir()})
		return nil
	})
	return out, err
}

func contentOf(files []inputFile) (string, error) {
	sum := sha256.New()
	for _, f := range files {
		if f.dir {
			continue
		}
		if err := addFile(sum, f.name, f.path); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// touchOf returns when the files and folders were last written or moved, from the change times of their inodes, which
// no program can set back. An edit that is undone restores the content, but not the change time.
func touchOf(files []inputFile) string {
	sum := sha256.New()
	for _, f := range files {
		var st unix.Stat_t
		err := unix.Stat(f.path, &st) // a missing file differs in content too
		fmt.Fprintln(sum, f.name, st.Dev, st.Ino, st.Ctim.Sec, st.Ctim.Nsec, err)
	}
	return string(slices.Clip(sum.Sum(nil)))
}

// ReadsElsewhere reports whether a run reads a file outside the repository under root, or one that builds write: no
// revision contains such a file.
func ReadsElsewhere(root string, run *plan.Run) (bool, error) {
	var files []inputFile
	for _, in := range inputs(run.Args) {
		var err error
		if files, err = in.files(files, root); err != nil {
			return false, err
		}
	}
	top, err := realPath(root)
	if err != nil {
		return false, err
	}
	for _, f := range files {
		real, err := realPath(f.path)
		if err != nil {
			return false, err
		}
		rel, err := filepath.Rel(top, real)
		if err != nil || !filepath.IsLocal(rel) || strings.HasPrefix(rel, "build"+string(filepath.Separator)) {
			return true, nil //nolint:nilerr // it has no path below the root
		}
	}
	return false, nil
}

// realPath returns the absolute path of a file, with links resolved.
func realPath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

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
