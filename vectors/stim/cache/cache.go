package cache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Env is the environment variable that names the folder of the cache, or Off.
const Env = "GOLDWIRE_CACHE"

// Off is the value of Env for no cache.
const Off = "off"

// DefaultLimit is the number of bytes that all files of a folder may have together.
const DefaultLimit = 2 << 30

// share is the part of the limit that one file may have, one of so many: a larger one would remove all others.
const share = 2

// left is the age after which a temporary file belongs to nobody: a run writes to its own more often.
const left = time.Hour

// Suffixes of the files. Nothing else in the folder is touched.
const (
	suffix     = ".stimulus"
	tempSuffix = suffix + ".part"
)

// Cache is a folder of files. A nil Cache keeps nothing. It may be used by several goroutines, and the folder by
// several processes, at once.
type Cache struct {
	Dir   string
	Limit int64        // bytes of all files
	Log   *slog.Logger // nil for the default one

	program func() ([sha256.Size]byte, error) // identity of the running program, for tests; nil for the real one
	warned  sync.Once                         // that nothing is kept
}

// New returns a cache in a folder, which it makes when it writes the first file.
func New(dir string) *Cache { return &Cache{Dir: dir, Limit: DefaultLimit} }

// FromEnv returns the cache in the folder that the environment variable Env names, or else in goldwire/stimulus of the
// user's cache folder. It returns nil, for no cache, when Env is Off or the user has no such folder.
func FromEnv() *Cache {
	switch dir := os.Getenv(Env); dir {
	case Off:
		return nil
	case "":
		user, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		return New(filepath.Join(user, "goldwire", "stimulus"))
	default:
		return New(dir)
	}
}

func (c *Cache) log() *slog.Logger { return cmp.Or(c.Log, slog.Default()) }

// warn logs once that what is made is not kept, and why.
func (c *Cache) warn(err error) {
	c.warned.Do(func() {
		c.log().Warn("stimulus is not kept: the run goes on without the cache", "folder", c.Dir, "error", err)
	})
}

// Open returns the source of that name, read from its file if there is one, and otherwise as the suite makes it. It
// errors when the suite does.
func (c *Cache) Open(su *stim.Suite, source string, o stim.Options) (*Source, error) {
	s := &Source{cache: c, events: o.Events, name: source + " of " + su.Schema.Name,
		open: func() (stim.Source, error) { return su.Open(source, o) }}
	if c != nil && strings.HasPrefix(source, stim.Fabric) && !strings.Contains(source, "/") {
		if err := c.find(s, su, source, o); err != nil {
			c.warn(err)
		}
	}
	if s.read != nil {
		return s, nil
	}
	var err error
	s.live, err = s.open()
	return s, err
}

// find fills in where the source is kept, and opens its file if there is one.
func (c *Cache) find(s *Source, su *stim.Suite, source string, o stim.Options) error {
	s.head = header{Format: format, Words: event.NewLayout(su.Schema).In.Words}
	if s.head.Words > maxWords {
		return nil
	}
	identify := c.program
	if identify == nil {
		identify = program
	}
	id, err := identify()
	if err != nil {
		return err
	}
	key, err := keyOf(id, su, source, o)
	if err != nil {
		return nil // the suite refuses the options, too
	}
	if err := c.private(); err != nil {
		return err
	}
	s.head.Key = hex.EncodeToString(key[:])
	s.file = filepath.Join(c.Dir, s.head.Key+suffix)
	s.read, err = openFile(s.file, s.head)
	var path *fs.PathError
	switch {
	case err == nil || errors.Is(err, fs.ErrNotExist):
	case errors.As(err, &path):
		s.file = "" // what cannot be read is not replaced
		return err
	default:
		c.discard(s, err)
	}
	return nil
}

// private returns an error unless the folder is where only this user writes, or is missing. In any other one somebody
// else would decide what is played.
func (c *Cache) private() error {
	if !filepath.IsAbs(c.Dir) {
		return fmt.Errorf("%s must name a folder by its whole path, or be %q", Env, Off)
	}
	info, err := os.Stat(c.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("it is not a folder")
	case info.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("its mode %o lets others write to it", info.Mode().Perm())
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() {
		return errors.New("it belongs to another user")
	}
	return nil
}

// discard removes a file that cannot be played.
func (c *Cache) discard(s *Source, why error) {
	err := os.Remove(s.file)
	c.log().Warn("a file of the stimulus cache is damaged: it is removed, and the stimulus is made again",
		"source", s.name, "file", s.file, "damage", why, "removed", err == nil)
}

// trim removes the files that were not used for longest until the others keep to the limit, and what broken processes
// have left. A run that reads a removed file has it open and reads on.
func (c *Cache) trim() {
	entries, err := os.ReadDir(c.Dir)
	if err != nil {
		return
	}
	var files []os.FileInfo
	total := int64(0)
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		switch {
		case strings.HasSuffix(e.Name(), tempSuffix):
			if time.Since(info.ModTime()) > left {
				os.Remove(filepath.Join(c.Dir, e.Name()))
				continue
			}
			total += info.Size()
		case strings.HasSuffix(e.Name(), suffix):
			files = append(files, info)
			total += info.Size()
		}
	}
	slices.SortFunc(files, func(a, b os.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if total <= c.Limit {
			return
		}
		if os.Remove(filepath.Join(c.Dir, f.Name())) == nil {
			total -= f.Size()
		}
	}
}
