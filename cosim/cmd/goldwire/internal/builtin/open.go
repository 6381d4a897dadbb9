package builtin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/launch"
)

// halfPrefix begins the names of folders that are being unpacked.
const halfPrefix = ".half-"

// abandoned is the age at which a half unpacked folder belongs to a process that was killed.
const abandoned = time.Hour

// Dir returns the folder of the files, which need not exist. It errors if the user has no cache folder.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for the files built into goldwire: %w; set XDG_CACHE_HOME to a folder, or give "+
			"--root DIR with a checkout", err)
	}
	return filepath.Join(cache, "goldwire", "files-"+Hash()), nil
}

// Open returns the folder of the files: the root of a repository without what no command reads. It unpacks them if they
// are not there. It errors if the folder differs from the program's files, or if others could change it.
func Open() (string, error) {
	dir, err := Dir()
	if err != nil {
		return "", err
	}
	if strings.ContainsAny(dir, launch.Unplain) {
		return "", fmt.Errorf("folder %q: make cannot handle the characters in its path; set XDG_CACHE_HOME to a path "+
			"without spaces, quotes and other characters of the shell", dir)
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := unpack(dir); err != nil {
			return "", fmt.Errorf("unpacking the files built into goldwire: %w; make the folder writable, set XDG_CACHE_HOME "+
				"to another, or give --root DIR with a checkout", err)
		}
	}
	parent, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return "", err
	}
	dir = filepath.Join(parent, filepath.Base(dir)) // as the tools of a build name it
	if err := verify(dir); err != nil {
		return "", fmt.Errorf("folder %s: %w; to test other RTL, copy hdl/rtl and give --rtl; to restore the files, remove "+
			"the folder", dir, err)
	}
	launch.Pin(dir, files().sums)
	return dir, nil
}

// unpack writes the files into a folder of their own, which then takes the name dir. Another process may be faster.
func unpack(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	sweep(parent)
	half, err := os.MkdirTemp(parent, halfPrefix)
	if err != nil {
		return err
	}
	defer os.RemoveAll(half)
	for _, name := range under("") {
		to := filepath.Join(half, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, files().text[name], 0o444); err != nil {
			return err
		}
	}
	err = os.Rename(half, dir)
	if _, there := os.Lstat(dir); there == nil {
		return nil
	}
	return err
}

// sweep removes what killed processes left behind.
func sweep(parent string) {
	old, _ := filepath.Glob(filepath.Join(parent, halfPrefix+"*"))
	for _, f := range old {
		if info, err := os.Lstat(f); err == nil && time.Since(info.ModTime()) > abandoned {
			_ = os.RemoveAll(f)
		}
	}
}

// verify returns an error unless the folder holds the program's files and, outside build/, no others.
func verify(dir string) error {
	if err := private(dir); err != nil {
		return err
	}
	left := under("")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		switch name = filepath.ToSlash(name); {
		case err != nil:
			return err
		case d.IsDir() && name == "build":
			return fs.SkipDir
		case d.IsDir():
			return nil
		case !d.Type().IsRegular() || !Has(name):
			return fmt.Errorf("%s is not a file of goldwire", name)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != files().sums[name] {
			return fmt.Errorf("%s was changed, and is not the file built into goldwire", name)
		}
		i, _ := slices.BinarySearch(left, name)
		left = slices.Delete(left, i, i+1)
		return nil
	})
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%s is missing", left[0])
	}
	return err
}

// private returns an error unless dir is a folder that only this user can write to.
func private(dir string) error {
	info, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return errors.New("it is not a folder")
	case !ok || int(st.Uid) != os.Geteuid():
		return errors.New("it belongs to another user")
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("its mode %o lets others write to it", info.Mode().Perm())
	}
	return nil
}
