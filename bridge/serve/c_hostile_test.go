package serve

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// The C library against a server that is hostile or broken in exactly one way.
func TestCHostile(t *testing.T) {
	exe := cTest(t, "gw_script.c", sanitized...)
	for name, test := range map[string]func(*testing.T, string){"frames": hostileFrames, "hello": hostileHello,
		"answers": hostileAnswers,
		"fields":  wideFields, "set": setFields, "reset": resetDrops, "last words": lastWords} {
		t.Run(name, func(t *testing.T) { test(t, exe) })
	}
}

// A server whose frames are wrong in one way gets one line out of the C library that says which, where a
// connection is made and where an answer is read alike; nothing is asked of it any more.
func hostileFrames(t *testing.T, exe string) {
	for name, c := range map[string]struct {
		edit func([]byte) []byte
		then string
		want string
	}{
		"payload sum": {edit: put32(24, 1), want: "checksum of a payload differs"},
		"payload": {edit: func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
			want: "checksum of a payload differs"},
		"header sum": {edit: func(b []byte) []byte { b[28] ^= 1; return b }, want: "checksum of a header differs"},
		"header":     {edit: func(b []byte) []byte { b[12] ^= 1; return b }, want: "checksum of a header differs"},
		"magic": {edit: header(func(b []byte) { b[3] = '2' }), want: "not a bridge frame; check that the " +
			"address is of a Goldwire server"},
		"version": {edit: header(func(b []byte) { b[5] = 1 }), want: "protocol version differs: ours 1, " +
			"theirs 257"},
		"type": {edit: header(func(b []byte) { b[6] = 0 }), want: "type 0 or reserved bits in a header"},
		"another type": {edit: header(func(b []byte) { b[6] = 12 }), want: "the server answers with a frame of " +
			"type 12, not "},
		"flags":            {edit: header(func(b []byte) { b[7] = 1 }), want: "type 0 or reserved bits in a header"},
		"reserved":         {edit: put32(20, 1<<31), want: "type 0 or reserved bits in a header"},
		"sequence ahead":   {edit: header(func(b []byte) { b[8]++ }), want: " was due"},
		"sequence high":    {edit: header(func(b []byte) { b[11]++ }), want: "frame 16777"},
		"control too long": {edit: put32(12, 65537), want: "a frame of 65537 and "},
		"bulk too long":    {edit: put32(16, 268435464), want: " and 268435464 bytes is not allowed"},
		"bulk no words":    {edit: put32(16, 1020), want: " and 1020 bytes is not allowed"},
		"short payload": {edit: func(b []byte) []byte { return b[:len(b)-1] }, then: "close",
			want: " bytes of the payload"},
		"announces more": {edit: put32(16, 1<<20), then: "close", want: " bytes of the payload"},
		"short header": {edit: func(b []byte) []byte { return b[:20] }, then: "close",
			want: "the server closed the connection after 20 of 32 bytes of the header"},
		"no frame": {edit: func([]byte) []byte { return nil }, then: "close", want: "the server closed the " +
			"connection after 0 of 32 bytes of the header"},
		"no map": {edit: control(func([]byte) []byte { return []byte{0x93, 1, 2, 3} }),
			want: "a control message is not a map"},
		"cut map": {edit: control(func(b []byte) []byte { return b[:len(b)-1] }),
			want: "a control message is damaged"},
		"bytes behind": {edit: control(func(b []byte) []byte { return append(b, 0xc0, 0xc0) }),
			want: "2 bytes stand behind a control message"},
		"key of no text": {edit: control(func([]byte) []byte { return []byte{0x81, 1, 2} }),
			want: "a control message is damaged"},
		"map of ever so many": {edit: control(func([]byte) []byte { return []byte{0xdf, 0xff, 0xff, 0xff, 0xff} }),
			want: "a control message is damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []wire.Type{wire.TypeHello, wire.TypeAnswer} {
				f := newFake()
				f.at, f.edit, f.then = at, c.edit, c.then
				out := f.play(t, exe, "push:ev:1", "pull:rsp", "pull:rsp", "finish", "reset")
				require.Contains(t, out, c.want)
				if at == wire.TypeHello {
					require.Regexp(t, "^connect: [^\n]+\n$", out)
					continue
				}
				require.Regexp(t, "^push 0\npull -1 [^\n]+\n", out)
				line, _, _ := strings.Cut(out[len("push 0\npull -1 "):], "\n")
				require.Equal(t, fmt.Sprintf("push 0\npull -1 %[1]s\npull -1 %[1]s\nfinish -1 %[1]s\nreset -1 %[1]s\n", line), out)
			}
		})
	}
}

// What a server says of itself, and its layout, is checked before anything is sent after it.
func hostileHello(t *testing.T, exe string) {
	for want, edit := range map[string]func(f *fake){
		"protocol version differs: ours 1, the server's 2": func(f *fake) { f.hello.Version = 2 },
		"the server has records of 0 and 4 words":          func(f *fake) { f.hello.InWords = 0 },
		"the server has records of 3 and 4097 words":       func(f *fake) { f.hello.OutWords = 4097 },
		"the server takes cycles, not events":              func(f *fake) { f.hello.Requests = "configure,asks,describe" },
		"block of the server is 2000 characters long": func(f *fake) {
			f.hello.Block = strings.Repeat("x",
				2000)
		},
		"the layout's field ev.b does not fit": func(f *fake) { f.in += "field ev b 8 3 0 0\n" },
		"the layout's field ev.c does not fit": func(f *fake) { f.in += "field ev c 65 2 0 0\n" },
		"the layout's field ev.d does not fit": func(f *fake) { f.in += "field ev d 0 2 0 0\n" },
		"the layout's field ev.e does not fit": func(f *fake) { f.in += "field ev e 1 1 64 0\n" },
		"the layout's field ev.f does not fit": func(f *fake) {
			f.hello.InWords = 4096
			f.in += "field ev f 65537 2 0 0\n"
		},
		"the layout's field rsp.g does not fit":                 func(f *fake) { f.in += "field rsp g 1 2 0 0\n" },
		"the layout's field log.h does not fit":                 func(f *fake) { f.out += "field log h 1 4 0 0\n" },
		"the layout's field ev.i straddles a word":              func(f *fake) { f.in += "field ev i 33 1 32 0\n" },
		"the layout's field ev.j straddles a word":              func(f *fake) { f.in += "field ev j 65 1 1 0\n" },
		"the layout has a control bit 64":                       func(f *fake) { f.in += "control x_valid 64\n" },
		"the layout's line cannot be read: control x_valid":     func(f *fake) { f.in += "control x_valid\n" },
		"the layout's line cannot be read: control x_valid 5 6": func(f *fake) { f.in += "control x_valid 5 6\n" },
		"the layout's line cannot be read: field ev k 1 1 0":    func(f *fake) { f.in += "field ev k 1 1 0\n" },
		"the layout's line cannot be read: field ev l 1 1 0 0x": func(f *fake) { f.in += "field ev l 1 1 0 0x\n" },
		"the layout's line cannot be read: field ev m 4294967297 1 0 0": func(f *fake) {
			f.in += "field ev m 4294967297 1 0 0\n"
		},
		"a line of the layout is 300 characters long": func(f *fake) { f.in += strings.Repeat("y", 300) },
		"the server reports busy: no  more": func(f *fake) {
			f.at, f.edit = wire.TypeHello,
				instead("busy", "no\r\nmore")
		},
		"in of a control message is no text": func(f *fake) {
			f.at, f.edit = wire.TypeDescribed, control(func([]byte) []byte { return []byte{0x81, 0xa2, 'i', 'n', 7} })
		},
		"version of a control message is not a number": func(f *fake) {
			f.at, f.edit = wire.TypeHello, control(func([]byte) []byte { return []byte("\x81\xa7version\xa11") })
		},
	} {
		t.Run(want, func(t *testing.T) {
			f := newFake()
			edit(f)
			out := f.play(t, exe)
			require.Regexp(t, "^connect: [^\n]+\n$", out)
			require.Contains(t, out, want)
			require.Zero(t, f.resets)
		})
	}
	// Lines of a later version, and a field that ends with its word, are none of these.
	f := newFake()
	f.in += "note of a later version\nfield ev n 32 0 32 0\nfield ev o 64 2 0 0\n"
	require.Empty(t, f.play(t, exe))
	require.Equal(t, 1, f.resets)
}

// An answer whose count, size or records do not hold together is refused before its contents are used.
func hostileAnswers(t *testing.T, exe string) {
	for want, answer := range map[string]func() (any, []uint64){
		"an answer of 2 responses carries 32 bytes": func() (any, []uint64) {
			_,
				w := fakeAnswer(1)
			return wire.Answer{Responses: 2}, w
		},
		"an answer of 1 responses carries 64 bytes": func() (any, []uint64) {
			_,
				w := fakeAnswer(2)
			return wire.Answer{Responses: 1}, w
		},
		"an answer of 0 responses carries 32 bytes": func() (any, []uint64) {
			_,
				w := fakeAnswer(1)
			return nil, w
		},
		"an answer of 1 responses carries 24 bytes": func() (any, []uint64) {
			_,
				w := fakeAnswer(1)
			return wire.Answer{Responses: 1}, w[:3]
		},
		"an answer of 1152921504606846976 responses carries 0 bytes": func() (any,
			[]uint64) {
			return wire.Answer{Responses: 1 << 60}, nil
		},
		"responses of a control message is not a number": func() (any,
			[]uint64) {
			return map[string]any{"responses": -1}, nil
		},
		"the server gives a response of no stream": func() (any,
			[]uint64) {
			return wire.Answer{Responses: 1}, []uint64{1, 0, 0, 0}
		},
		"the server gives one response of two streams, rsp and log": func() (any,
			[]uint64) {
			return wire.Answer{Responses: 1}, []uint64{6, 0, 0, 0}
		},
	} {
		t.Run(want, func(t *testing.T) {
			f := newFake()
			f.answer = func(int, []uint64) (any, []uint64) { return answer() }
			require.Equal(t, "push 0\nfinish -1 "+want+"\nexpect -1 "+want+"\n",
				f.play(t, exe, "push:ev:1", "finish", "expect:rsp:0"))
		})
	}
	// More or fewer responses than events is for the scoreboard to say.
	f := newFake()
	f.answer = func(n int, _ []uint64) (any, []uint64) { return fakeAnswer(2 * (1 - n)) }
	require.Equal(t, "push 0\nexpect 0\nfinish 1 rsp: 1 responses of the model were never expected\nexpect 0\n"+
		"push 0\nexpect 1 rsp 2: the model gives no response here\nfinish 0\n",
		f.play(t, exe, "push:ev:1", "expect:rsp:"+fakeRsp, "finish", "expect:rsp:"+fakeRsp, "push:ev:1",
			"expect:rsp:"+fakeRsp, "finish"))
}

// Every bit of a wide field and of a signed one counts, and events arrive as they were given.
func wideFields(t *testing.T, exe string) {
	const good = "0xf000000010123456789abcdef"
	f := newFake()
	require.Equal(t, strings.Join([]string{"push 0",
		"expect 0",
		"expect 1 rsp 1: wide want " + good + " got 0x7000000010123456789abcdef",
		"expect 1 rsp 2: wide want " + good + " got 0xf000000000123456789abcdef",
		"expect 1 rsp 3: wide want " + good + " got 0xf000000018123456789abcdef",
		"expect 1 rsp 4: wide want " + good + " got 0xf000000010123456789abcdee",
		"expect 1 rsp 5: s want -5 got 2043",
		"expect 1 rsp 6: s want -5 got -6, wide want " + good + " got X",
		"ffbf 00000001 01234567 89abcdef pull 1"}, "\n"),
		strings.ReplaceAll(strings.TrimSpace(f.play(t, exe, "push:ev:89abcdef800000000fedcba987654321f:8", "expect:rsp:"+
			fakeRsp,
			"expect:rsp:ffb"+"700000001"+"0123456789abcdef", "expect:rsp:ffb"+"f00000000"+"0123456789abcdef", "expect:rsp:ffb"+
				"f00000001"+"8123456789abcdef",
			"expect:rsp:ffb"+"f00000001"+"0123456789abcdee", "expect:rsp:7fb"+"f00000001"+"0123456789abcdef",
			"expect:rsp:ffa"+"f00000001"+"0123456789abcdef:8000000000000000000000000", "pull:rsp")), "0000ffbf ", "ffbf "))
	require.Len(t, f.received, 1)
	require.Len(t, f.received[0], 8*3)
	require.Equal(t, []uint64{1<<1 | 0x89abcdef<<4, 0xfedcba987654321f, 0x800000000}, f.received[0][21:])
}

// A value that a field cannot hold is refused and leaves it as it was; a signed field takes both ways to write it.
func setFields(t *testing.T, exe string) {
	require.Equal(t, strings.Join([]string{"ffb set 0", "ffb set 0", "7ff set 0", "800 set 0",
		"0 set -1 set rsp.s: 0x1000 does not fit its 12 bits",
		"0 set -1 set rsp.s: 0xfffffffffffff7ff does not fit its 12 bits",
		"ffffffff set 0",
		"0 set -1 set ev.a: 0xfffffffffffffffb does not fit its 32 bits",
		"ffffffffffffffff set 0"}, "\n")+"\n",
		newFake().play(t, exe, "set:rsp:s:fffffffffffffffb", "set:rsp:s:ffb", "set:rsp:s:7ff", "set:rsp:s:fffffffffffff800",
			"set:rsp:s:1000", "set:rsp:s:fffffffffffff7ff", "set:ev:a:ffffffff", "set:ev:a:fffffffffffffffb",
			"set:ev:wide:ffffffffffffffff"))
}

// What a scoreboard hands over DPI is looked at before it is sent, and what is wrong is printed.
func TestCOverDPI(t *testing.T) {
	const include = "/usr/share/verilator/include/vltstd"
	if _, err := os.Stat(include + "/svdpi.h"); err != nil {
		t.Skip("Verilator's svdpi.h is not installed")
	}
	exe := cTest(t, "gw_dpi_test.c", append([]string{"-I", include, "../c/gw_dpi.c"}, sanitized...)...)
	f := newFake()
	require.Equal(t, `gw_push: ev: no server is connected
push to nobody -1
gw_expect: rsp: no server is connected
expect of nobody -1
gw_finish: no server is connected
finish of nobody -1
gw_reset: no server is connected
reset of nobody -1
gw_push: evt: the block has no such stream
stream -1
gw_push: ev: the payload has bits beyond the stream's 132: is it the struct of this stream?
bit beyond -1
gw_push: ev: the payload has bits beyond the stream's 132: is it the struct of this stream?
Z beyond -1
gw_push: ev: the payload has bits beyond the stream's 132: is it the struct of this stream?
last bit -1
gw_push: an event has bits that are X or Z
X in an event -1
push 0
push 0
push 0
push 0
expect 0
gw_expect: rsp 1: wide want 0xf000000010123456789abcdef got X
X 1
gw_expect: rsp 2: wide want 0xf000000010123456789abcdef got 0xb000000010123456789abcdef
bit 98 1
gw_finish: rsp: 1 responses of the model were never expected
finish 1
reset 0
finish 0
`, f.play(t, exe))
	require.Len(t, f.received, 1)
	require.Equal(t, []uint64{1<<1 | 0x80000000<<4, 0, 0}, f.received[0][:3])
}

// A reset drops responses that are at hand, not only events that wait.
func resetDrops(t *testing.T, exe string) {
	f := newFake()
	require.Equal(t, "push 0\nexpect 0\npush 0\nreset 0\nfinish 0\npull 0\npush 0\nexpect 0\nfinish 0\n", f.play(t, exe,
		"push:ev:1:3", "expect:rsp:"+fakeRsp, "push:ev:2", "reset", "finish", "pull:rsp", "push:ev:3",
		"expect:rsp:"+fakeRsp, "finish"))
	require.Equal(t, 2, f.resets)
	require.Len(t, f.received, 2, "the event that waited is not sent")
	require.EqualValues(t, 3, f.received[1][1])
}

// A server that neither answers nor reads holds the client for a time only; this build's is a second.
func TestCSilentServer(t *testing.T) {
	exe := cTest(t, "gw_script.c", "-DGW_SILENCE_S=1")
	const silent = "the server gave no sign of life for 1 seconds; look whether it hangs\n"
	for _, at := range []wire.Type{wire.TypeHello, wire.TypeAnswer} {
		for _, part := range []int{0, 31, 33} {
			t.Run(fmt.Sprintf("%d bytes of %s", part, at), func(t *testing.T) {
				t.Parallel()
				f := newFake()
				f.at, f.then, f.edit = at, "silent", func(b []byte) []byte { return b[:part] }
				want := "connect: " + silent
				if at == wire.TypeAnswer {
					want = "push 0\nfinish -1 " + silent
				}
				require.Equal(t, want, f.play(t, exe, "push:ev:1", "finish"))
			})
		}
	}
	t.Run("reads nothing", func(t *testing.T) {
		t.Parallel()
		f := newFake()
		f.hello.InWords, f.unread = 512, true // 16 MiB for all events that wait: no socket holds them
		require.Equal(t, "push -1 the server took nothing of what was sent for 1 seconds; look whether it hangs\n",
			f.play(t, exe, "push:ev:1:4096"))
	})
	t.Run("takes no connection", func(t *testing.T) {
		t.Parallel()
		fullQueue(t, exe)
	})
}

// fullQueue: the listener's queue, of one, has no room, and nobody accepts.
func fullQueue(t *testing.T, exe string) {
	path := filepath.Join(t.TempDir(), "s")
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	require.NoError(t, err)
	defer syscall.Close(fd)
	require.NoError(t, syscall.Bind(fd, &syscall.SockaddrUnix{Name: path}))
	require.NoError(t, syscall.Listen(fd, 0))
	c, err := net.Dial("unix", path)
	require.NoError(t, err)
	defer c.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	out, err := exec.CommandContext(ctx, exe, "unix:"+path).CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "connect: the server at unix:"+path+" took no connection for 1 seconds; look whether it hangs\n",
		string(out))
}

// What a server said before it went is told, not that the connection broke.
func lastWords(t *testing.T, exe string) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		w := wire.NewWriter(c)
		_ = w.Write(wire.TypeHello, newFake().hello)
		_ = w.Write(wire.TypeError, &wire.Failure{Kind: "busy", Text: "full"})
		_, _ = io.CopyN(io.Discard, c, 32)
		c.Close()
	}()
	out, err := exec.Command(exe, "unix:"+path).CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "connect: the server reports busy: full\n", string(out))
}
