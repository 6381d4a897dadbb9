package format

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"
)

// forgery is a small file taken apart, to be put together otherwise under right checksums.
type forgery struct {
	head        []byte // payloads
	frame       []byte
	index, foot []byte
	data        chunk
	first       uint64 // the number the index gives the frame's first record
	at          uint64 // added to the offset that the index gives
	tail        tail   // added to what the tail says
	after       []byte // follows the end mark
}

func takeApart(t testing.TB, file []byte) *forgery {
	at := prefixSize
	next := func() (chunk, []byte) {
		c, err := parseChunk(file[at : at+chunkSize])
		require.NoError(t, err)
		p := file[at+chunkSize : at+chunkSize+int(c.stored)]
		at += chunkSize + int(c.stored)
		return c, bytes.Clone(p)
	}
	x := &forgery{}
	_, x.head = next()
	x.data, x.frame = next()
	_, x.index = next()
	_, x.foot = next()
	require.Len(t, file, at+tailSize)
	return x
}

func (x *forgery) bytes() []byte {
	b := prefix(1)
	add := func(c chunk, p []byte) uint64 {
		at := len(b)
		if c.stored == 0 {
			c.stored = uint32(len(p))
		}
		c.sum = checksum(p)
		b = append(append(b, c.bytes()...), p...)
		return uint64(at)
	}
	add(chunk{kind: kindHead, raw: uint32(len(x.head))}, x.head)
	frame := add(x.data, x.frame)
	le := binary.LittleEndian
	le.PutUint64(x.index, frame+x.at)
	le.PutUint64(x.index[8:], x.first)
	n := uint64(x.data.records)
	last := tail{index: add(chunk{kind: kindIndex, first: n, records: 1, raw: uint32(len(x.index))}, x.index)}
	last.foot = add(chunk{kind: kindFoot, first: n, raw: uint32(len(x.foot))}, x.foot)
	last.index, last.foot = last.index+x.tail.index, last.foot+x.tail.foot
	return append(append(b, last.bytes()...), x.after...)
}

// bomb is zstd of so many bytes that are all 0, as a stream that does not say how many.
func bomb(t testing.TB, n int) []byte {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	require.NoError(t, err)
	zeros := make([]byte, 1<<20)
	for range n / len(zeros) {
		_, err = w.Write(zeros)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// Files that somebody made up, every checksum right: refused by name, in bounded memory, at the place it is.
func TestForgedFiles(t *testing.T) {
	sound, d := small(t)
	require.Equal(t, sound, takeApart(t, sound).bytes(), "put together as it was")
	gigabyte := bomb(t, 1<<30)
	for name, c := range map[string]struct {
		forge  func(x *forgery)
		want   string
		sound  int   // records that are handed out
		memory int64 // bytes, 1 MiB when 0
	}{
		"frame claims 4 GB": {func(x *forgery) { x.data.stored = 1<<32 - 1 }, "frame 0 at byte 604: damaged: length " +
			"of 4294967295 bytes", 0, 0},
		"frame claims 64 MB": {func(x *forgery) { x.data.stored = maxRaw }, "truncated: ", 0, 0},
		"frame claims 4 G words": {func(x *forgery) { x.data.records = 1<<32 - 1 }, "decompressed cannot hold its " +
			"4294967295 records", 0, 0},
		"decompressed 4 GB":  {func(x *forgery) { x.data.raw = 1<<32 - 1 }, "decompressed), at most", 0, 0},
		"bomb of a gigabyte": {func(x *forgery) { x.frame, x.data.stored = gigabyte, 0 }, "zstd: ", 0, 0},
		"bomb that says so": {func(x *forgery) { x.frame, x.data.stored, x.data.raw = gigabyte, 0, maxRaw },
			"zstd: ", 0, 3 * maxRaw},
		"smaller than it says": {func(x *forgery) { x.data.raw++ }, "bytes decompressed, not", 0, 0},
		"no zstd":              {func(x *forgery) { x.frame[0] ^= 1 }, "zstd: ", 0, 0},
		"trailing garbage": {func(x *forgery) { x.after = []byte("garbage") }, "tail at byte 1217: damaged: bytes " +
			"follow the end mark; records 0 to 39 before it can be read", 40, 0},
		"two files": {func(x *forgery) { x.after = bytes.Clone(sound) },
			"bytes follow the end mark", 40, 0},
		"index points elsewhere": {func(x *forgery) { x.at = 8 }, "index at byte 971: damaged: its offsets are not those " +
			"of the frames", 40, 0},
		"index counts otherwise": {func(x *forgery) { x.first = 5 }, "its offsets are not those of the frames", 40, 0},
		"index beyond the file": {func(x *forgery) { x.at = 1 << 62 },
			"its offsets are not those of the frames", 40, 0},
		"tail points elsewhere": {func(x *forgery) { x.tail.foot = 1 << 20 }, "tail at byte 1217: damaged: it points to " +
			"other places", 40, 0},
		"tail points to a frame": {func(x *forgery) { x.tail.index = -uint64(len(x.frame) + chunkSize) },
			"it points to other places", 40, 0},
		"totals that lie": {func(x *forgery) {
			x.foot = bytes.Replace(x.foot, []byte(`"resets":`), []byte(`"resets":1`),
				1)
		}, "footer at byte 1023: damaged: totals", 40, 0},
		"records that lie": {func(x *forgery) {
			x.foot = bytes.Replace(x.foot, []byte(`"records":40`), []byte(`"records":41`),
				1)
		}, "it counts 40 records, then 41", 40, 0},
		"another digest": {func(x *forgery) {
			x.foot = bytes.Replace(x.foot, []byte(`"digest":"`), []byte(`"digest":"0`),
				1)
		}, "the frames add up to", 40, 0},
		"a foreign schema hash": {func(x *forgery) {
			x.head = bytes.Replace(x.head, []byte(`"schema_hash":"`), []byte(`"schema_hash":"0`), 1)
		}, "header at byte 16: damaged: header: schema hash 0", 0, 0},
		"a schema that is none": {func(x *forgery) {
			x.head = bytes.Replace(x.head, []byte(`block: tiny`),
				[]byte(`block: {{{{`), 1)
		}, "header: schema", 0, 0},
		"an unknown key": {func(x *forgery) {
			x.head = bytes.Replace(x.head, []byte(`{"block"`), []byte(`{"host":"me","block"`), 1)
		}, `unknown field "host"`, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			x := takeApart(t, sound)
			c.forge(x)
			file := x.bytes()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			n, err := check(t, file, d)
			runtime.ReadMemStats(&after)
			require.ErrorContains(t, err, c.want)
			requireDamage(t, err)
			require.Equal(t, c.sound, n)
			if c.memory == 0 {
				c.memory = 1 << 20
			}
			require.Less(t, int64(after.TotalAlloc-before.TotalAlloc), c.memory)
		})
	}
}

// A bit that means nothing is damage in whichever record of a frame it is, input or output.
func TestStrayBitInAnyRecord(t *testing.T) {
	sound, d := small(t)
	enc, err := zstd.NewWriter(nil)
	require.NoError(t, err)
	dec, err := zstd.NewReader(nil)
	require.NoError(t, err)
	defer dec.Close()
	for _, record := range []int{0, 1, 20, 39} {
		for column := range 2 { // of the input word and the output word
			x := takeApart(t, sound)
			raw, err := dec.DecodeAll(x.frame, nil)
			require.NoError(t, err)
			n := int(x.data.records)
			at := len(raw) - 8*(2-column)*n + 8*record
			require.Zero(t, raw[at+7])
			raw[at+7] = 0x80
			x.frame, x.data.stored = enc.EncodeAll(raw, nil), 0
			got, err := check(t, x.bytes(), d)
			require.ErrorContains(t, err, "have no meaning here")
			requireDamage(t, err)
			require.Zero(t, got)
		}
	}
}
