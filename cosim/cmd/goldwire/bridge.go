package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/conform"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/serve"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/cosim/report"
	"github.com/goldwire/goldwire/vectors/event"
)

func newBridge(a *app) *cobra.Command {
	return cli.Group(&cobra.Command{
		Use:   "bridge",
		Short: "check programs that speak the bridge protocol",
		Long: `bridge is for your own programs that speak the protocol of bridge/PROTOCOL.md: a golden
model in another language, or another simulator's side of a co-simulation.`,
		Example: `  goldwire bridge conform unix:/tmp/gold.sock`,
	}, newConform(a))
}

type conformFlags struct {
	block, schema, token, rtl string
	params                    []string
	launch, asJSON            bool
	timeout                   time.Duration
}

func newConform(a *app) *cobra.Command {
	var f conformFlags
	c := &cobra.Command{
		Use:   "conform ADDRESS",
		Short: "test a server against the bridge protocol, check by check",
		Long: `conform runs a list of named checks against a server: its hello and what it refuses in
ours, damaged, truncated and oversized frames, control messages, steps, batches and
their mismatch reports, ask, goodbyes, two clients at once. It prints PASS, FAIL or SKIP
for each; a FAIL shows what the protocol requires and what came. A check is skipped if
the server's hello does not announce the request. conform does not know what the block
should answer, or how often it answers one event, and does not check that.

ADDRESS is unix:PATH or tcp:127.0.0.1:PORT. The schema is that of the block in the
server's hello, of --block, or of the file --schema. With --launch and no ADDRESS,
conform checks the DUT process of a block, which it builds from hdl/ and starts for each
connection.

Exit codes: 0 all checks pass; 1 a check failed; 2 no server to check.`,
		Example: `  goldwire bridge conform unix:/tmp/gold.sock
  GW_TOKEN=3f0c... goldwire bridge conform tcp:127.0.0.1:4711 --json
  goldwire bridge conform unix:/tmp/mine.sock --schema mine/schema.yaml
  goldwire bridge conform --launch --block ccc`,
		Args: func(cmd *cobra.Command, args []string) error {
			if f.launch {
				return cli.NoArgs(cmd, args)
			}
			return cli.OneArg("ADDRESS")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.conform(cmd, args, &f) },
	}
	fl := c.Flags()
	fl.StringVar(&f.block, "block", "", "`NAME` of the server's block (default: from its hello)")
	fl.StringVar(&f.schema, "schema", "", "schema of a block of your own, `FILE`")
	fl.StringArrayVar(&f.params, "param", nil,
		"parameter that the server must have, `NAME=VALUE`; may be repeated (default: from its hello)")
	fl.StringVar(&f.token, "token", "", "`TOKEN` of the server (default: the environment's GW_TOKEN)")
	fl.BoolVar(&f.launch, "launch", false, "check the DUT process of --block")
	fl.StringVar(&f.rtl, "rtl", "", "with --launch: RTL in `DIR` in place of hdl/rtl")
	fl.DurationVar(&f.timeout, "timeout", 10*time.Second, "longest wait for each answer as a `DURATION`, such as 30s")
	fl.BoolVar(&f.asJSON, "json", false, "print JSON")
	return c
}

func (a *app) conform(cmd *cobra.Command, args []string, f *conformFlags) error {
	if f.timeout <= 0 {
		return fmt.Errorf("--timeout %v: give a time above 0, such as 5s", f.timeout)
	}
	if f.rtl != "" && !f.launch {
		return fmt.Errorf("--rtl: needs --launch; a listening server has its own RTL")
	}
	if f.token == "" {
		f.token = os.Getenv(launch.TokenEnv)
	}
	params, err := cli.ParseParams(f.params)
	if err != nil {
		return err
	}
	t := conform.Target{Timeout: f.timeout}
	address := "the DUT process of " + f.block
	if f.launch {
		if f.block == "" {
			return fmt.Errorf("--launch: missing --block (goldwire list blocks shows all)")
		}
		if err := a.CheckBlock(f.block); err != nil {
			return err
		}
		if t.Open, err = a.launched(cmd.Context(), f, params); err != nil {
			return err
		}
	} else {
		address = args[0]
		t.Open = func(ctx context.Context) (net.Conn, string, error) {
			c, err := client.Connect(ctx, address, f.timeout)
			return c, f.token, err
		}
	}
	if t.Block, err = a.conformSchema(cmd.Context(), f, t.Open); err != nil {
		return err
	}
	if len(params) > 0 {
		if t.Params, err = wire.ParamText(t.Block, params); err != nil {
			return err
		}
	}
	results, err := conform.Run(cmd.Context(), t)
	if err != nil {
		return err
	}
	return a.reportConform(address, t.Block.Name, results, f.asJSON)
}

// opener connects to a server and returns the connection and the token.
type opener func(context.Context) (net.Conn, string, error)

// launched returns a function that starts a DUT process and connects to it.
func (a *app) launched(ctx context.Context, f *conformFlags, params map[string]int) (opener, error) {
	root, err := a.Repository()
	if err != nil {
		return nil, err
	}
	bin, err := launch.Build(ctx, launch.BuildSpec{Root: root, Block: f.block, RTLDir: f.rtl, Params: params})
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (net.Conn, string, error) {
		token := ""
		_, c, err := launch.Spawn(ctx, bin, launch.DefaultSpawnSpec(), func(_ net.Conn, secret string) error {
			token = secret
			return nil
		})
		return c, token, err
	}, nil
}

// conformSchema returns the schema that the flags name, or that of the block in the server's hello.
func (a *app) conformSchema(ctx context.Context, f *conformFlags, open opener) (*event.Block, error) {
	if f.schema != "" {
		b, err := event.Load(f.schema)
		if err == nil && f.block != "" && b.Name != f.block {
			err = fmt.Errorf("--schema %s is of block %s, but --block is %s", f.schema, b.Name, f.block)
		}
		return b, err
	}
	name := f.block
	if name == "" {
		c, _, err := open(ctx)
		if err != nil {
			return nil, err
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(f.timeout))
		fr, err := wire.NewReader(c, wire.DefaultLimits()).Next()
		var h wire.Hello
		if err == nil {
			err = fr.Decode(&h)
		}
		if err != nil {
			return nil, fmt.Errorf("hello of the server: %w; give --block or --schema to get a report anyway", err)
		}
		if name = h.Block; a.CheckBlock(name) != nil {
			return nil, fmt.Errorf("the server is for block %q, which is not one of ours; give its --schema FILE", name)
		}
	}
	k, err := block.Lookup(name)
	if err != nil {
		return nil, a.CheckBlock(name)
	}
	return k.Schema, nil
}

// reportConform prints the results. It returns cli.ErrMismatch if a check failed.
func (a *app) reportConform(address, block string, results []conform.Result, asJSON bool) error {
	count := map[conform.Verdict]int{}
	for _, r := range results {
		count[r.Verdict]++
	}
	var err error
	if asJSON {
		err = report.EncodeJSON(a.Stdout, struct {
			Address string           `json:"address"`
			Block   string           `json:"block"`
			Passed  int              `json:"passed"`
			Failed  int              `json:"failed"`
			Skipped int              `json:"skipped"`
			Checks  []conform.Result `json:"checks"`
		}{address, block, count[conform.Pass], count[conform.Fail], count[conform.Skip], results})
	} else {
		for _, r := range results {
			fmt.Fprintf(a.Stdout, "%s  %s", r.Verdict, r.Name)
			switch r.Verdict {
			case conform.Fail:
				fmt.Fprintf(a.Stdout, "\n      asked  %s\n      got    %s", r.Expect, r.Got)
			case conform.Skip:
				fmt.Fprintf(a.Stdout, "  (%s)", r.Got)
			}
			fmt.Fprintln(a.Stdout)
		}
		_, err = fmt.Fprintf(a.Stdout, "%s (block %s): %d passed, %d failed, %d skipped\n", address, block,
			count[conform.Pass], count[conform.Fail], count[conform.Skip])
	}
	return cli.Found(count[conform.Fail] > 0, err)
}

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
		Name: "goldwire " + revision, New: func() (serve.Model, error) { return k.NewModel(params) }})
}
