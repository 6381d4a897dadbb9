package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// small are limits that a test can exceed.
var small = Limits{Ctrl: 1 << 10, Bulk: 1 << 12}

// frame returns the bytes of one frame.
func frame(t require.TestingT, typ Type, ctrl any, bulk ...[]uint64) []byte {
	var b bytes.Buffer
	require.NoError(t, NewWriter(&b).Write(typ, ctrl, bulk...))
	return b.Bytes()
}

// resum makes the header checksum right again after an edit.
func resum(b []byte) []byte {
	binary.LittleEndian.PutUint32(b[28:], crc32.Checksum(b[:28], castagnoli))
	return b
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type sent struct {
			typ  Type
			msg  Batch
			bulk []uint64
		}
		frames := rapid.SliceOf(rapid.Custom(func(t *rapid.T) sent {
			return sent{
				Type(rapid.IntRange(1, int(lastType)).Draw(t, "type")),
				Batch{Cycles: rapid.Int().Draw(t, "cycles"), Shm: rapid.Bool().Draw(t, "shm"), InOff: rapid.Uint64().Draw(t, "in"),
					WantOff: rapid.Uint64().Draw(t, "want")},
				rapid.SliceOfN(rapid.Uint64(), 0, 64).Draw(t, "bulk"),
			}
		})).Draw(t, "frames")
		var b bytes.Buffer
		w := NewWriter(&b)
		for _, f := range frames {
			cut := rapid.IntRange(0, len(f.bulk)).Draw(t, "cut") // bulk may come in pieces
			require.NoError(t, w.Write(f.typ, &f.msg, f.bulk[:cut], f.bulk[cut:]))
		}
		r := NewReader(iotest.HalfReader(&b), DefaultLimits()) // short reads are normal on a socket
		for _, want := range frames {
			f, err := r.Next()
			require.NoError(t, err)
			require.Equal(t, want.typ, f.Type)
			var msg Batch
			require.NoError(t, f.Decode(&msg))
			require.Equal(t, want.msg, msg)
			require.True(t, slices.Equal(want.bulk, f.Bulk))
		}
		_, err := r.Next()
		require.Equal(t, io.EOF, err)
	})
}

// TestEveryBitCounts flips each bit of a frame: no flip may pass.
func TestEveryBitCounts(t *testing.T) {
	good := frame(t, TypeBatch, &Batch{Cycles: 2}, []uint64{1, 2, 3, math.MaxUint64})
	for i := range 8 * len(good) {
		bad := slices.Clone(good)
		bad[i/8] ^= 1 << (i % 8)
		_, err := NewReader(bytes.NewReader(bad), small).Next()
		require.Error(t, err, "bit %d", i)
		switch i / 8 {
		case 0, 1, 2, 3:
			require.ErrorIs(t, err, ErrMagic)
		case 4, 5:
			require.ErrorIs(t, err, ErrVersion)
		default:
			require.ErrorIs(t, err, ErrChecksum)
		}
	}
}

func TestEveryCutIsTruncation(t *testing.T) {
	good := frame(t, TypeBatch, &Batch{Cycles: 2}, []uint64{1, 2, 3})
	for n := 1; n < len(good); n++ {
		_, err := NewReader(bytes.NewReader(good[:n]), small).Next()
		require.ErrorIs(t, err, ErrTruncated, "%d bytes", n)
	}
	_, err := NewReader(bytes.NewReader(nil), small).Next()
	require.Equal(t, io.EOF, err)
}

func TestRefusals(t *testing.T) {
	le := binary.LittleEndian
	good := func() []byte { return frame(t, TypeStep, &Step{Cycles: 1}, []uint64{7}) }
	for name, c := range map[string]struct {
		edit func([]byte)
		kind error
		text string
	}{
		"version":     {func(b []byte) { le.PutUint16(b[4:], 9) }, ErrVersion, "ours 1, theirs 9"},
		"type zero":   {func(b []byte) { b[6] = 0 }, ErrProtocol, "frame type 0 does not exist"},
		"type beyond": {func(b []byte) { b[6] = byte(lastType) + 1 }, ErrProtocol, "does not exist"},
		"flags":       {func(b []byte) { b[7] = 1 }, ErrProtocol, "reserved bits"},
		"reserved":    {func(b []byte) { b[20] = 1 }, ErrProtocol, "reserved bits"},
		"sequence":    {func(b []byte) { le.PutUint32(b[8:], 3) }, ErrSequence, "ours 0, theirs 3"},
		"huge control": {func(b []byte) { le.PutUint32(b[12:], math.MaxUint32) }, ErrTooLarge, "control of the step frame " +
			"is 4294967295 bytes, the limit is 1024"},
		"huge bulk": {func(b []byte) { le.PutUint32(b[16:], math.MaxUint32) }, ErrTooLarge, "bulk of the step frame"},
		"odd bulk":  {func(b []byte) { le.PutUint32(b[16:], 9) }, ErrProtocol, "not whole words"},
	} {
		t.Run(name, func(t *testing.T) {
			b := good()
			c.edit(b)
			_, err := NewReader(bytes.NewReader(resum(b)), small).Next()
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, c.text)
			require.NotContains(t, err.Error(), "\n")
		})
	}
	_, err := NewReader(bytes.NewReader([]byte("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")), small).Next()
	require.ErrorIs(t, err, ErrMagic)
}

func TestWriterRefusesTooLarge(t *testing.T) {
	var b bytes.Buffer
	w := NewWriter(&b)
	require.ErrorIs(t, w.Write(TypeError, &Failure{Text: string(make([]byte, 70<<10))}), ErrTooLarge)
	w.lim.Bulk = 64
	require.ErrorIs(t, w.Write(TypeBatch, nil, make([]uint64, 9)), ErrTooLarge)
	require.Zero(t, b.Len(), "nothing of a refused frame may be on the wire")
	require.NoError(t, w.Write(TypeBye, nil))
	f, err := NewReader(&b, small).Next()
	require.NoError(t, err, "a refused frame must not use up a sequence number")
	require.Equal(t, TypeBye, f.Type)
}

func TestDecodeRefusesGarbage(t *testing.T) {
	f := Frame{Type: TypeStep, Ctrl: []byte{0xc1}}
	err := f.Decode(&Step{})
	require.ErrorIs(t, err, ErrProtocol)
	require.ErrorContains(t, err, "step frame")
}

// TestHeaderBytes pins the layout that bridge/PROTOCOL.md gives.
func TestHeaderBytes(t *testing.T) {
	var b [HeaderSize]byte
	Header{Type: TypeFinish, Seq: 0x01020304, CtrlLen: 5, BulkLen: 16, CRC: 0xa1b2c3d4}.Put(b[:])
	require.Equal(t, []byte{'G', 'W', 'B', '1', 1, 0, 7, 0, 4, 3, 2, 1, 5, 0, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0xd4,
		0xc3, 0xb2, 0xa1}, b[:28])
	h, err := ParseHeader(b[:], small)
	require.NoError(t, err)
	require.Equal(t, Header{Type: TypeFinish, Seq: 0x01020304, CtrlLen: 5, BulkLen: 16, CRC: 0xa1b2c3d4}, h)
}

func TestTypeNames(t *testing.T) {
	seen := map[string]bool{}
	for typ := TypeHello; typ <= lastType; typ++ {
		require.NotEqual(t, "?", typ.String())
		require.False(t, seen[typ.String()])
		seen[typ.String()] = true
	}
	require.Equal(t, "?", Type(200).String())
}

func TestErrorText(t *testing.T) {
	cause := errors.New("line one\nline two")
	err := &Error{Kind: ErrDUTExited, What: "process 7: exit status 2", Err: cause,
		Log: []string{"a", "b", "c", "d"}, Mend: "run again"}
	require.Equal(t,
		"DUT process ended: process 7: exit status 2: line one | line two (last output: b | c | d); run again", err.Error())
	require.ErrorIs(t, err, ErrDUTExited)
	require.ErrorIs(t, err, cause)
	require.Equal(t, "schema hash differs: ours a, theirs none", (&Error{Kind: ErrSchemaHash, Ours: "a"}).Error())
	for name, kind := range kinds {
		require.Equal(t, kind, KindError(name))
		require.Equal(t, name, KindName(&Error{Kind: kind}))
	}
	require.Equal(t, ErrProtocol, KindError("something new"))
	require.Equal(t, "protocol", KindName(&Error{Kind: ErrBuild}))
}

func TestDigest(t *testing.T) {
	// Fixed values: the shell computes the same, which the client's tests compare.
	require.EqualValues(t, 0, Digest(0))
	require.NotZero(t, Digest(0).Add([]uint64{0}))
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.Uint64(), 2, 8).Draw(t, "words")
		bit := rapid.IntRange(0, 64*len(words)-1).Draw(t, "bit")
		d := Digest(rapid.Uint64().Draw(t, "start"))
		other := slices.Clone(words)
		other[bit/64] ^= 1 << (bit % 64)
		require.NotEqual(t, d.Add(words), d.Add(other), "a flipped bit must show")
		require.NotEqual(t, d.Add(words).Add(other), d.Add(other).Add(words), "the order must show")
	})
}

// FuzzReader feeds a Reader arbitrary bytes: it must end with an error or EOF, take no more memory than the
// limits allow, and accept nothing that does not come out of a Writer the same.
func FuzzReader(f *testing.F) {
	f.Add(frame(f, TypeBatch, &Batch{Cycles: 2}, []uint64{1, 2}), false)
	f.Add(append(frame(f, TypeHello, &Hello{Block: "x"}), frame(f, TypeBye, nil)...), true)
	f.Add([]byte("GWB1"), true)
	f.Add(make([]byte, 64), true)
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend && len(data) >= HeaderSize { // let the fuzzer past the magic and the header checksum
			data = slices.Clone(data)
			binary.LittleEndian.PutUint32(data, Magic)
			binary.LittleEndian.PutUint16(data[4:], Version)
			resum(data)
		}
		r := NewReader(bytes.NewReader(data), small)
		for {
			fr, err := r.Next()
			if err != nil {
				require.True(t, err == io.EOF || errors.Is(err, ErrMagic) || errors.Is(err, ErrVersion) ||
					errors.Is(err, ErrChecksum) ||
					errors.Is(err, ErrProtocol) || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrSequence) ||
					errors.Is(err, ErrTruncated), "%v", err)
				return
			}
			require.LessOrEqual(t, len(fr.Ctrl), int(small.Ctrl))
			require.LessOrEqual(t, 8*len(fr.Bulk), int(small.Bulk))
			for _, v := range []any{&Hello{}, &Configure{}, &Batch{}, &Mismatch{}, &Finished{}, &Failure{}, &Stepped{}, &Ask{},
				&Answer{}, &Described{}} {
				_ = fr.Decode(v) // may fail, must not panic
			}
		}
	})
}

func BenchmarkWriteBatch(b *testing.B) {
	in, want := make([]uint64, 16384*8), make([]uint64, 16384*6)
	w := NewWriter(io.Discard)
	b.SetBytes(int64(8 * (len(in) + len(want))))
	for b.Loop() {
		if err := w.Write(TypeBatch, &Batch{Cycles: 16384}, in, want); err != nil {
			b.Fatal(err)
		}
	}
}
