package cache

import (
	"cmp"
	"encoding/hex"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// kept begins the names of the sources that are worth keeping.
const kept = "fabric:"

// Cache is a folder of files. A nil Cache keeps nothing. It may be used by several goroutines, and the folder by
// several processes, at once.
type Cache struct {
	Dir   string
	Limit int64        // bytes of all files
	Log   *slog.Logger // nil for the default one

	program func() (string, error) // identity of the running program, for tests; nil for the real one
	warned  sync.Once              // that files cannot be written
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

// Open returns the source of that name, read from its file if there is one, and otherwise from open. The options are
// those that open gives the source. It errors when open does.
func (c *Cache) Open(b *event.Block, source string, o stim.Options, open func() (stim.Source, error)) (*Source, error) {
	s := &Source{cache: c, events: o.Events, name: source + " of " + b.Name, open: open}
	if c != nil && strings.HasPrefix(source, kept) {
		if err := c.find(s, b, source, o); err != nil {
			c.warn(err)
		}
	}
	if s.read != nil {
		return s, nil
	}
	var err error
	s.live, err = open()
	return s, err
}

// find fills in where the source is kept, and opens its file if there is a good one as far as its header shows.
func (c *Cache) find(s *Source, b *event.Block, source string, o stim.Options) error {
	words := event.NewLayout(b).In.Words
	if words > maxWords {
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
	key, err := keyOf(id, b, source, o)
	if err != nil {
		return err
	}
	s.head = header{key: key, words: words}
	s.file = filepath.Join(c.Dir, hex.EncodeToString(key[:])+suffix)
	s.read, err = openFile(s.file, &s.head)
	switch {
	case os.IsNotExist(err):
	case err != nil:
		c.discard(s, err)
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
// have left.
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
