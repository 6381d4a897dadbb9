package cache

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// program returns the SHA-256 of the running program. Any change of code changes it; the version that the program
// reports does not change with uncommitted code. It errors on systems other than Linux, because the program's path may
// by now lead to a newer program.
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
// block. A test checks that %#v prints the value of every field of the options.
func keyOf(program [sha256.Size]byte, su *stim.Suite, source string,
	o stim.Options) (key [sha256.Size]byte, err error) {
	if o, err = o.Filled(su.Schema); err != nil {
		return key, err
	}
	return sha256.Sum256(fmt.Appendf(nil, "program %x block %q schema %q source %q options %#v", program, su.Schema.Name,
		su.Schema.Hash(), source, o)), nil
}
