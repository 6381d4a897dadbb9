package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
)

// program returns the SHA-256 of the running program. Any change of code gives another one; the version that the
// program reports does not, for a tree with changes.
var program = sync.OnceValues(func() (string, error) {
	path := "/proc/self/exe" // the program that runs, though the file of its name may be another one by now
	if runtime.GOOS != "linux" {
		var err error
		if path, err = os.Executable(); err != nil {
			return "", fmt.Errorf("stimulus cache: %w", err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("stimulus cache: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, struct{ io.Reader }{f}, make([]byte, 1<<18)); err != nil {
		return "", fmt.Errorf("stimulus cache: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
})

// keyOf returns the hash of everything that decides what a source makes. It errors when the options do not fit the
// block, and when they have a field that it cannot represent.
func keyOf(program string, b *event.Block, source string, o stim.Options) (key [sha256.Size]byte, err error) {
	if o, err = o.Filled(b); err != nil {
		return key, err
	}
	var t strings.Builder
	fmt.Fprintf(&t, "program %q block %q schema %q source %q options ", program, b.Name, b.Hash(), source)
	if err := represent(&t, reflect.ValueOf(o)); err != nil {
		return key, fmt.Errorf("stimulus cache: options%w", err)
	}
	return sha256.Sum256([]byte(t.String())), nil
}

// represent writes a value so that different values differ. It errors for what has no fixed value: pointers, functions,
// interfaces, channels.
func represent(t *strings.Builder, v reflect.Value) error {
	switch v.Kind() {
	case reflect.Struct:
		t.WriteByte('{')
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			fmt.Fprintf(t, "%s ", name)
			if err := represent(t, v.Field(i)); err != nil {
				return fmt.Errorf(".%s%w", name, err)
			}
		}
		t.WriteByte('}')
	case reflect.Map:
		if v.Type().Key().Kind() != reflect.String {
			return fmt.Errorf(": a map by %s has no key", v.Type().Key())
		}
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		fmt.Fprintf(t, "[%d ", len(keys))
		for _, k := range keys {
			fmt.Fprintf(t, "%q ", k.String())
			if err := represent(t, v.MapIndex(k)); err != nil {
				return fmt.Errorf("[%s]%w", k, err)
			}
		}
		t.WriteByte(']')
	case reflect.Slice, reflect.Array:
		fmt.Fprintf(t, "[%d ", v.Len())
		for i := range v.Len() {
			if err := represent(t, v.Index(i)); err != nil {
				return fmt.Errorf("[%d]%w", i, err)
			}
		}
		t.WriteByte(']')
	case reflect.String:
		fmt.Fprintf(t, "%q ", v.String())
	case reflect.Bool:
		fmt.Fprintf(t, "%t ", v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		fmt.Fprintf(t, "%d ", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		fmt.Fprintf(t, "%d ", v.Uint())
	case reflect.Float32, reflect.Float64:
		fmt.Fprintf(t, "%x ", v.Float())
	default:
		return fmt.Errorf(": a %s has no key", v.Kind())
	}
	return nil
}
