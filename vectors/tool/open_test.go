package tool_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
	"github.com/goldwire/goldwire/vectors/tool/tooltest"
)

func count(f *tool.File) (n int, err error) {
	r, done, err := f.Open()
	if err != nil {
		return 0, err
	}
	defer done()
	err = f.Each(r, func(*format.Record) (bool, error) { n++; return true, nil })
	return n, err
}

func TestNamedFilesAndStdin(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	path := filepath.Join(t.TempDir(), "f.gwv")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	f := tool.Named(t.Context(), path, nil)
	for range 2 { // as often as the tool needs to
		n, err := count(&f)
		require.NoError(t, err)
		require.Equal(t, tooltest.Records, n)
	}
	f = tool.Named(t.Context(), "-", bytes.NewReader(data))
	n, err := count(&f)
	require.NoError(t, err)
	require.Equal(t, tooltest.Records, n)
	f = tool.Named(t.Context(), path+".none", nil)
	_, err = count(&f)
	require.ErrorContains(t, err, "vector file: ")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestDamageNamesTheFileAndTheCure(t *testing.T) {
	data := tooltest.Data(t, 3, nil)
	path := filepath.Join(t.TempDir(), "f.gwv")
	require.NoError(t, os.WriteFile(path, data[:len(data)-3], 0o666))
	f := tool.Named(t.Context(), path, nil)
	n, err := count(&f)
	require.Equal(t, tooltest.Records, n)
	require.ErrorContains(t, err, path+": ")
	require.ErrorContains(t, err, "(goldwire vectors cut --to 29 "+path+" -o SAVED.gwv keeps them)")
	f = tool.Named(t.Context(), "-", bytes.NewReader(data[:len(data)-3]))
	_, err = count(&f)
	require.ErrorContains(t, err, "-: ")
	require.NotContains(t, err.Error(), "vectors cut", "stdin cannot be read again")
}

// Reading from a pipe that nobody writes ends with the context.
func TestWaitingIsCalledOff(t *testing.T) {
	silent, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	f := tool.Named(ctx, "-", silent)
	_, err := count(&f)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "interrupted: -: ")
}
