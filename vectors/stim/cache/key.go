package cache

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// program returns the SHA-256 of the running program. Any change of code gives another one; the version that the
// program reports does not, for a tree with changes. It errors on systems other than Linux: by its name a program may
// find a newer one in its place.
var program = sync.OnceValues(func() (id [sha256.Size]byte, err error) {
	f, err := os.Open("/proc/self/exe")
	if err != nil {
		return id, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return id, err
	}
	return [sha256.Size]byte(h.Sum(nil)), nil
})

// keyOf returns the hash of everything that decides what a source makes. It errors when the options do not fit the
// block. A test refuses a field of the options whose %#v is not its value.
func keyOf(program [sha256.Size]byte, su *stim.Suite, source string,
	o stim.Options) (key [sha256.Size]byte, err error) {
	if o, err = o.Filled(su.Schema); err != nil {
		return key, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "program %x block %q schema %q source %q options %#v", program, su.Schema.Name,
		su.Schema.Hash(), source, o)), nil
}
