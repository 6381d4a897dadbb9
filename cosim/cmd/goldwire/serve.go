package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/serve"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
)

func newServe(a *app) *cobra.Command {
	var block, listen string
	var params []string
	var clients int
	c := &cobra.Command{
		Use:   "serve",
		Short: "answer other programs with a block's model",
		Long: `serve listens and answers with a block's model, event by event or cycle by cycle: to a
SystemVerilog scoreboard (bridge/c), to your own program (bridge/PROTOCOL.md), or to
goldwire itself. Each client has its own model. When it is ready it prints one line,
"listening ADDRESS block B params P", with the port it took if --listen gives port 0.

A Unix socket has mode 0600: file permissions protect it. A TCP port, only of 127.0.0.1,
is open to every user of the machine, so its clients must give a token: that of the
environment variable GW_TOKEN, or a new one, which is printed at the end of the line as
"token T". serve runs until a signal ends it, which is exit code 0, and then removes its
socket.`,
		Example: `  goldwire serve --block ccc --listen unix:/tmp/gold.sock
  goldwire serve --block txstate --param NumPdcs=64 --listen tcp:127.0.0.1:0
  goldwire bridge conform unix:/tmp/gold.sock`,
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var missing []string
			if block == "" {
				missing = append(missing, "--block")
			}
			if listen == "" {
				missing = append(missing, "--listen")
			}
			if missing != nil {
				return fmt.Errorf("missing %s (see %s --help)", strings.Join(missing, ", "), cmd.CommandPath())
			}
			if err := a.CheckBlock(block); err != nil {
				return err
			}
			if clients < 1 || clients > 4096 {
				return fmt.Errorf("--clients %d: give 1 to 4096", clients)
			}
			given, err := cli.ParseParams(params)
			if err != nil {
				return err
			}
			token, fresh := os.Getenv(launch.TokenEnv), false
			if token == "" && strings.HasPrefix(listen, "tcp:") {
				secret := make([]byte, 16)
				rand.Read(secret)
				token, fresh = hex.EncodeToString(secret), true
			}
			s, err := newServer(block, given, token, clients)
			if err != nil {
				return err
			}
			l, address, err := launch.Listen(listen)
			if err != nil {
				return err
			}
			line := fmt.Sprintf("listening %s block %s params %s", address, block, dash(s.Hello().Params))
			if fresh {
				line += " token " + token
			}
			if _, err := fmt.Fprintln(a.Stdout, line); err != nil {
				l.Close()
				return err
			}
			return s.Serve(cmd.Context(), l)
		},
	}
	fl := c.Flags()
	fl.StringVar(&block, "block", "", "`NAME` of the block whose model answers (see goldwire list)")
	cli.ParamFlag(fl, &params)
	fl.StringVar(&listen, "listen", "", "`ADDRESS` to listen at: unix:PATH or tcp:127.0.0.1:PORT (port 0: a free one)")
	fl.IntVar(&clients, "clients", 64, "most clients at once, `N`")
	return c
}

func newServer(name string, given map[string]int, token string, clients int) (*serve.Server, error) {
	k, err := block.Lookup(name)
	if err != nil {
		return nil, err
	}
	params, err := k.Schema.Values(given)
	if err != nil {
		return nil, err
	}
	return serve.New(serve.Spec{Block: k.Schema, Params: params, Token: token, MaxClients: clients,
		Name: "goldwire " + revision,
		New:  func() (serve.Model, error) { return k.NewModel(params) }})
}
