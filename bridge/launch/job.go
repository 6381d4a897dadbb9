package launch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// job is one try to build a spec.
type job struct {
	BuildSpec
	tools
	src           sources
	params, flags string
	key           string   // of the request
	base          string   // path of its builds, without the name of their content
	args          []string // of Verilator, with the folder of the build left open
	known         map[string]bool
	moved         []string // files that did not stay the same
	lock          *os.File
}

// dirMark stands in a job's arguments for the folder of the build.
const dirMark = "\x00"

// ask works out the request.
func (j *job) ask() (err error) {
	if j.src, err = j.sources(); err != nil {
		return limited(&wire.Error{Kind: wire.ErrBuild, Err: err})
	}
	if j.key, err = contentHash(j.BuildSpec, j.src, j.tools, j.params, j.flags); err != nil {
		return limited(&wire.Error{Kind: wire.ErrBuild, Err: err})
	}
	if j.base = j.OutDir; j.base == "" {
		j.base = filepath.Join(j.Root, "build", "dut", j.Block+"-"+j.key[:12])
	}
	if j.base, err = filepath.Abs(j.base); err != nil {
		return fmt.Errorf("build directory: %w", err)
	}
	j.args = j.verilatorArgs(dirMark, j.src, j.params, j.version)
	return nil
}

// build returns the binary, or none when a file changed meanwhile: moved then names it, and known has grown.
func (j *job) build(ctx context.Context) (*Binary, error) {
	if err := j.ask(); err != nil {
		return nil, err
	}
	sweepOnce(filepath.Dir(j.base))
	if bin := j.find(); bin != nil {
		return bin, nil
	}
	f, unlock, err := lock(ctx, j.base+".lock")
	if err != nil {
		return nil, err
	}
	j.lock = f
	defer unlock()
	if bin := j.find(); bin != nil { // another process built it while this one waited
		return bin, nil
	}
	return j.make(ctx)
}

// binary describes the build in a folder.
func (j *job) binary(dir string, st *stamp, cached bool) *Binary {
	layout := event.NewLayout(j.Schema)
	bin := &Binary{Path: filepath.Join(dir, exeName), Block: j.Block, SchemaHash: j.Schema.Hash(), Params: j.params,
		InWords: layout.In.Words, OutWords: layout.Out.Words, Cached: cached, Loops: readLoops(dir),
		Origin: st.origin(j.BuildSpec)}
	if j.Foreign != nil {
		bin.Dir = j.Foreign.Dir
	}
	return bin
}

// find returns a build whose stamp still holds entirely, or nil. Files that the stamps of others name are known from
// then on.
func (j *job) find() *Binary {
	dirs := []string{j.base}
	if j.OutDir == "" {
		dirs, _ = filepath.Glob(j.base + "-" + strings.Repeat("[0-9a-f]", 12))
	}
	memo := snapshot{}
	for _, dir := range dirs {
		st, err := readStamp(dir)
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				slog.Warn("the stamp of a build is damaged: building it again", "folder", dir, "error", err)
			}
			continue
		}
		what, damaged := st.changed(j.BuildSpec, dir, j.key, j.args, memo)
		if err := st.pinned(j.roots()); what == "" && err != nil {
			what = err.Error()
		}
		if what == "" {
			return j.binary(dir, st, true)
		}
		if damaged {
			slog.Warn("a built design is damaged: building it again", "because", what)
		} else {
			slog.Debug("a built design is not used", "folder", dir, "because", what)
		}
		if st.Key == j.key {
			for f := range st.Files {
				j.known[concrete(j.roots(), f)] = true
			}
		}
	}
	return nil
}

// make builds in a folder of its own, which becomes the build if no file changed meanwhile. Otherwise it returns
// neither binary nor error.
func (j *job) make(ctx context.Context) (*Binary, error) {
	tmp := j.base + halfDone + self().String()
	defer os.RemoveAll(tmp)
	obj := filepath.Join(tmp, "obj")
	if err := errors.Join(os.RemoveAll(tmp), os.MkdirAll(obj, 0o755)); err != nil {
		return nil, folderError("build directory", err)
	}
	before, start := snapshot{}, time.Now()
	inputs, err := j.inputs(j.src)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(before.take(inputs...), before.take(sortedKeys(j.known)...)); err != nil {
		return nil, limited(&wire.Error{Kind: wire.ErrBuild, What: "sources of the build", Err: err})
	}
	if j.Foreign != nil {
		if f := j.Foreign.changed(before); f != "" {
			return nil, &wire.Error{Kind: wire.ErrBuild, What: f + " changed after the design's ports were read",
				Mend: "run again"}
		}
	}
	out, err := j.compile(ctx, tmp, obj)
	if err != nil {
		return nil, err
	}
	d, err := readDeps(tmp, obj, j.workDir(obj), "V"+j.Block+"_top", out)
	if err != nil {
		return nil, limited(&wire.Error{Kind: wire.ErrBuild, What: "what the design was built from is not known", Err: err,
			Mend: "use GNU make, a C++ compiler that knows -MMD and a linker that knows --trace"})
	}
	after := snapshot{}
	if err := errors.Join(after.take(inputs...), after.take(d.all()...)); err != nil {
		return nil, limited(&wire.Error{Kind: wire.ErrBuild, What: "sources of the build", Err: err})
	}
	if j.moved = unsettled(before, after, start, isTool(d)); len(j.moved) > 0 {
		for f := range after {
			j.known[f] = true
		}
		return nil, nil
	}
	return j.publish(tmp, obj, d, after)
}

// isTool distinguishes the files of the installed programs from those of a design.
func isTool(d *deps) func(string) bool {
	folders := []string{"/usr/", "/lib/", "/lib64/", "/nix/store/"}
	for _, f := range d.make { // verilated.mk among them
		if root, ok := strings.CutSuffix(f, "include/verilated.mk"); ok {
			folders = append(folders, root)
		}
	}
	return func(path string) bool {
		path = filepath.Clean(path)
		for _, dir := range folders {
			if strings.HasPrefix(path, dir) {
				return true
			}
		}
		return false
	}
}

// publish writes the stamp and gives the build its name.
func (j *job) publish(tmp, obj string, d *deps, after snapshot) (*Binary, error) {
	roots := j.roots()
	st := &stamp{Format: stampFormat, Key: j.key, Args: abstractAll(roots, j.args), Files: map[string]string{},
		Roots: map[string]string{}}
	var all []string
	for f, now := range after {
		st.Files[abstract(roots, f)] = now.Sum
		all = append(all, f)
	}
	st.Absent = abstractAll(roots, d.shadows(j.args, tmp, obj, j.workDir(obj)))
	prefix := filepath.Join(obj, "V"+j.Block+"_top")
	makefiles := append(d.make, prefix+".mk", prefix+"_classes.mk")
	texts := slices.DeleteFunc(slices.Clone(d.verilog), isTool(d))
	st.Env = environment(makefiles, texts, j.args)
	st.EnvSum = envSum(st.Env)
	for _, r := range roots {
		st.Roots[r.name] = r.dir
	}
	st.Fixed = fixed(roots, all, j.args)
	broken := func(err error) error { return folderError("build directory", err) }
	exe := filepath.Join(tmp, exeName)
	if err := os.Rename(filepath.Join(obj, exeName), exe); err != nil {
		return nil, broken(err)
	}
	b, err := look(exe)
	if err != nil {
		return nil, broken(err)
	}
	st.Binary = b.Sum
	if err := st.pinned(roots); err != nil {
		return nil, err
	}
	dir := j.base
	if j.OutDir == "" {
		dir += "-" + st.content()
	}
	if err := errors.Join(os.RemoveAll(obj), st.write(tmp), os.RemoveAll(dir), os.Rename(tmp, dir)); err != nil {
		return nil, broken(err)
	}
	return j.binary(dir, st, false), nil
}
