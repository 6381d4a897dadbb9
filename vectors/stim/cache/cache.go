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

// Env is the environment variable that names the cache folder, or Off.
const Env = "GOLDWIRE_CACHE"

// Off is the value of Env that disables the cache.
const Off = "off"

// DefaultLimit is the size limit of all files in a folder together, in bytes.
const DefaultLimit = 2 << 30

// share is the fraction of the limit, 1/share, that one file may take. A larger file would push out all others.
const share = 2

// left is the age at which a temporary file counts as abandoned. A run writes to its own more often.
const left = time.Hour

// Suffixes of the files. Other files in the folder are left alone.
const (
	suffix     = ".stimulus"
	tempSuffix = suffix + ".part"
)

// Cache is a folder of files. A nil Cache keeps nothing. Several goroutines may share a Cache, and several processes a
// folder.
type Cache struct {
	Dir   string
	Limit int64        // bytes of all files
	Log   *slog.Logger // nil for the default one

	program func() ([sha256.Size]byte, error) // identity of the running program, for tests; nil for the real one
	warned  sync.Once                         // about stimulus that is not kept
}

// New returns a cache in a folder. The folder is created with the first file.
func New(dir string) *Cache { return &Cache{Dir: dir, Limit: DefaultLimit} }

// FromEnv returns the cache in the folder that the environment variable Env names, by default goldwire/stimulus in the
// user's cache folder. It returns nil, no cache, when Env is Off or the user has no such folder.
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

// warn logs once that stimulus is not kept, and why.
func (c *Cache) warn(err error) {
	c.warned.Do(func() {
		c.log().Warn("stimulus is not kept: the run continues without the cache", "folder", c.Dir, "error", err)
	})
}

// Open returns the source of that name, read from its file if there is one, else from the suite. It errors when the
// suite does.
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

// find sets the file of the source and opens it if it exists.
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
		return nil // the suite refuses the options too
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
		s.file = "" // an unreadable file is not replaced
		return err
	default:
		c.discard(s, err)
	}
	return nil
}

// private returns an error unless the folder is missing or only this user can write to it. In any other folder somebody
// else could decide what is played.
func (c *Cache) private() error {
	if !filepath.IsAbs(c.Dir) {
		return fmt.Errorf("%s must be an absolute path or %q", Env, Off)
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

// discard removes a damaged file.
func (c *Cache) discard(s *Source, why error) {
	err := os.Remove(s.file)
	c.log().Warn("a file of the stimulus cache is damaged: it is removed, and the stimulus is made again",
		"source", s.name, "file", s.file, "damage", why, "removed", err == nil)
}

// trim removes the least recently used files until the rest fits the limit, and abandoned temporary files. A run that
// reads a removed file still has it open and continues.
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
