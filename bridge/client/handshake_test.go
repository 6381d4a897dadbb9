package client

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
)

// fakeEnv makes this test binary a simulator that ends in the handshake, at the named moment.
const fakeEnv = "GOLDWIRE_TEST_SIMULATOR"

// TestFakeSimulator is that simulator.
func TestFakeSimulator(t *testing.T) {
	moment := os.Getenv(fakeEnv)
	if moment == "" {
		t.Skip("no test: the simulator of others")
	}
	at := slices.Index(os.Args, "--connect") + 1
	fmt.Println("licence server lost")
	die := func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }
	if moment == "connect" {
		die()
	}
	network, path, _ := strings.Cut(os.Args[at], ":")
	c, err := net.Dial(network, path)
	require.NoError(t, err)
	bin := dut(t, false)
	hello := &wire.Hello{Version: wire.Version, Block: bin.Block, SchemaHash: bin.SchemaHash,
		Params: bin.Params, InWords: bin.InWords,
		OutWords: bin.OutWords, Token: os.Getenv(launch.TokenEnv), PID: os.Getpid()}
	switch moment {
	case "before hello":
	case "half hello":
		_, err = c.Write([]byte("GW"))
	case "exit":
		os.Exit(7)
	case "hang up":
		c.Close()
		time.Sleep(time.Minute)
	case "configure":
		require.NoError(t, wire.NewWriter(c).Write(wire.TypeHello, hello))
		r := wire.NewReader(c, wire.DefaultLimits())
		for range 2 { // hello and configure
			_, err = r.Next()
			require.NoError(t, err)
		}
	}
	require.NoError(t, err)
	die()
}

// A simulator that ends in the handshake is named with how it ended and its last lines, at whatever moment.
func TestSimulatorEndsInHandshake(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	bin := *dut(t, false)
	bin.Path = filepath.Join(t.TempDir(), "dut")
	require.NoError(t, os.WriteFile(bin.Path, []byte("#!/bin/sh\nexec "+exe+
		" -test.run '^TestFakeSimulator$' -- \"$@\"\n"), 0o755))
	for moment, says := range map[string]string{
		"connect":      "the simulator ended (signal 9) during the handshake",
		"before hello": "the simulator ended (signal 9) during the handshake",
		"half hello":   "the simulator ended (signal 9) during the handshake",
		"configure":    "the simulator ended (signal 9) during the handshake",
		"exit":         "the simulator ended (exit status 7) during the handshake",
		"hang up":      "the simulator closed the connection during the handshake but lives on",
	} {
		t.Run(moment, func(t *testing.T) {
			t.Setenv(fakeEnv, moment)
			opt := DefaultOptions()
			opt.StartTimeout = time.Minute
			_, err := Start(t.Context(), &bin, opt)
			if moment == "hang up" {
				require.ErrorIs(t, err, wire.ErrDUTStart)
			} else {
				require.ErrorIs(t, err, wire.ErrDUTExited)
			}
			oneLine(t, err, says, "licence server lost")
		})
	}
}
