package casefile

import (
	"io/fs"
	"sync"
)

// Embedded returns a function that reads the files of the folder "directed" once, by Language.Read or Dialect.Load. It
// panics with their error: the files are part of the program.
func Embedded[T any](files fs.FS, read func(files fs.FS, dir string) ([]T, error)) func() []T {
	return sync.OnceValue(func() []T {
		all, err := read(files, "directed")
		if err != nil {
			panic(err)
		}
		return all
	})
}

// FrameLength is a Language's Begin that gives a packet the length of its frame where its line names none.
func FrameLength() func(head string, fields map[string]uint64) {
	return func(head string, fields map[string]uint64) {
		if _, ok := fields["len"]; !ok && head == "packet" {
			fields["len"] = fields["frame_bytes"]
		}
	}
}
