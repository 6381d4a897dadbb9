package casefile

import (
	"io/fs"
	"sync"
)

// Embedded returns a function that reads the files of the folder "directed" once, with read: Language.Read or
// Dialect.Load. It panics on an error, because the files are part of the program.
func Embedded[T any](files fs.FS, read func(files fs.FS, dir string) ([]T, error)) func() []T {
	return sync.OnceValue(func() []T {
		all, err := read(files, "directed")
		if err != nil {
			panic(err)
		}
		return all
	})
}

// FrameLength is a Language's Begin that sets a packet's length to that of its frame if the line does not give one.
func FrameLength() func(head string, fields map[string]uint64) {
	return func(head string, fields map[string]uint64) {
		if _, ok := fields["len"]; !ok && head == "packet" {
			fields["len"] = fields["frame_bytes"]
		}
	}
}
