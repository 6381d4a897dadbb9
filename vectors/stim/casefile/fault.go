package casefile

import "fmt"

// fault is an error on its way to the reader of a line, which adds the place.
type fault struct{ error }

// fail ends the reading of a line with an error.
func fail(format string, args ...any) { panic(fault{fmt.Errorf(format, args...)}) }

// check ends the reading of a line with an error that is not nil.
func check(err error) {
	if err != nil {
		panic(fault{err})
	}
}

// must returns a value, or ends the reading of a line.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// caught returns the error that ended the reading of a line, or nil.
func caught(read func()) (err error) {
	defer func() {
		x := recover()
		if f, ok := x.(fault); ok {
			err = f.error
		} else if x != nil {
			panic(x)
		}
	}()
	read()
	return nil
}
