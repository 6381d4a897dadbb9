package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// small is a file of a few hundred bytes over the header, with more than one frame when split.
func small(t testing.TB) ([]byte, drawn) {
	d := draw(t, tiny, PerTransaction, 40)
	data, _ := write(t, header(t, tiny, PerTransaction), d)
	return data, d
}

func requireDamage(t testing.TB, err error) {
	require.Error(t, err)
	known := errors.Is(err, ErrDamaged) || errors.Is(err, ErrTruncated) || errors.Is(err, ErrNotVectors)
	require.True(t, known, "%v", err)
	require.NotContains(t, err.Error(), "\n")
}

// Every byte of a small file, flipped as a whole and bit by bit: an error each time, and no record that was
// not written.
func TestEveryByteFlipped(t *testing.T) {
	data, d := small(t)
	for at := range data {
		for _, flip := range []byte{0xff, 1, 0x80, 1 << (at % 8)} {
			bad := bytes.Clone(data)
			bad[at] ^= flip
			_, err := check(t, bad, d)
			requireDamage(t, err)
		}
	}
}

func TestEveryTruncation(t *testing.T) {
	data, d := small(t)
	for n := range data {
		_, err := check(t, data[:n], d)
		requireDamage(t, err)
		if n >= 8 {
			require.ErrorIs(t, err, ErrTruncated, "%d bytes", n)
		}
	}
	_, err := check(t, append(bytes.Clone(data), 0), d)
	require.ErrorContains(t, err, "bytes follow the end mark")
}

// In a file of several frames, damage in one leaves those before it readable and says so.
func TestDamageNamesTheFrame(t *testing.T) {
	d := draw(t, wide, PerCycle, 3*wideFrame+5)
	data, _ := write(t, header(t, wide, PerCycle), d)
	whole, err := NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	for _, err := range whole.All() {
		require.NoError(t, err)
	}
	third := int(binary.LittleEndian.Uint64(whole.index[32:]))
	k := wideFrame
	for name, spoil := range map[string]func([]byte) []byte{
		"payload":  func(b []byte) []byte { b[third+chunkSize+1000] ^= 4; return b },
		"header":   func(b []byte) []byte { b[third+9] ^= 4; return b },
		"cut off":  func(b []byte) []byte { return b[:third+5000] },
		"cut head": func(b []byte) []byte { return b[:third+7] },
		"lost": func(b []byte) []byte {
			return append(b[:third:third], b[binary.LittleEndian.Uint64(whole.index[48:]):]...)
		},
		"twice": func(b []byte) []byte {
			return append(b[:third:third], b[binary.LittleEndian.Uint64(whole.index[16:]):]...)
		},
	} {
		n, err := check(t, spoil(bytes.Clone(data)), d)
		require.Equal(t, 2*k, n, name)
		var dmg *Damage
		require.ErrorAs(t, err, &dmg, name)
		require.Equal(t, "frame 2", dmg.Part, name)
		require.EqualValues(t, third, dmg.Offset, name)
		require.EqualValues(t, 2*k, dmg.Sound, name)
	}
	// Nothing is read past the damage, however often one asks.
	bad := bytes.Clone(data)
	bad[third+chunkSize] ^= 1
	r, err := NewReader(bytes.NewReader(bad))
	require.NoError(t, err)
	for range r.All() {
	}
	_, first := r.Next()
	_, second := r.Next()
	require.Error(t, first)
	require.Equal(t, first, second)
}

func TestNewerVersionIsRefused(t *testing.T) {
	data, d := small(t)
	copy(data, prefix(Version+1))
	_, err := check(t, data, d)
	require.ErrorIs(t, err, ErrVersion)
	require.ErrorContains(t, err, "the file has version 3, this goldwire reads up to 2")
}

func TestOtherFiles(t *testing.T) {
	for _, s := range []string{"", "x", "time,cwnd\n1,2\n", string(bytes.Repeat([]byte{0}, 100))} {
		_, err := NewReader(bytes.NewReader([]byte(s)))
		require.ErrorIs(t, err, ErrNotVectors)
		if s == "" {
			require.ErrorContains(t, err, "the file is empty")
		}
	}
}

type failing struct{ r io.Reader }

var errDisk = errors.New("disk gone")

func (f failing) Read(b []byte) (int, error) {
	n, err := f.r.Read(b)
	if err == io.EOF {
		err = errDisk
	}
	return n, err
}

// An error of the disk is not damage of the file.
func TestReadErrorsPass(t *testing.T) {
	data, _ := small(t)
	for n := range data {
		r, err := NewReader(failing{bytes.NewReader(data[:n])})
		if err == nil {
			for _, e := range r.All() {
				err = e
			}
		}
		require.ErrorIs(t, err, errDisk)
		require.NotErrorIs(t, err, ErrDamaged)
		require.NotErrorIs(t, err, ErrTruncated)
	}
}

// Contents that no writer makes, under right checksums.
func TestMendedNonsense(t *testing.T) {
	data, d := small(t)
	for at := prefixSize; at < len(data); at++ {
		for _, flip := range []byte{0xff, 1, 0x80} {
			bad := bytes.Clone(data)
			bad[at] ^= flip
			mend(bad)
			if bytes.Equal(bad, data) {
				continue // a checksum, set right again
			}
			readAll(t, bad)
		}
	}
	_ = d
}

// readAll reads whatever it is; it must neither panic nor contradict itself.
func readAll(t testing.TB, data []byte) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		require.NotEmpty(t, err.Error())
		return
	}
	n := uint64(0)
	for rec, err := range r.All() {
		if err != nil {
			require.LessOrEqual(t, n, r.Sound())
			return
		}
		require.Equal(t, n, rec.Number)
		n++
	}
	require.Equal(t, n, r.Totals().Records)
}

// FuzzReader reads arbitrary files, as they are and with their checksums set right.
func FuzzReader(f *testing.F) {
	data, _ := small(f)
	f.Add(data, false)
	f.Add(data, true)
	d := draw(f, wide, PerCycle, 5)
	data, _ = write(f, header(f, wide, PerCycle), d)
	f.Add(data, true)
	f.Add(data[:len(data)/2], true)
	f.Fuzz(func(t *testing.T, data []byte, right bool) {
		data = bytes.Clone(data)
		if right {
			mend(data)
		}
		readAll(t, data)
	})
}
