package ci

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/goldwire/goldwire/ci/campaign"
	"github.com/goldwire/goldwire/cosim/device/revision"
)

func goodFlag(c *cobra.Command, good *string) {
	c.Flags().StringVar(good, "good", "", "compare our failing design, signal by signal, with the passing one of a "+
		"revision or folder, `REV|DIR`")
}

// goodDesign returns the design of --good: a copy of hdl/rtl in a folder, or the RTL of a revision.
func (a *app) goodDesign(ctx context.Context, name string) (*campaign.Good, error) {
	if name == "" {
		return nil, nil
	}
	fail := func(err error) error {
		return fmt.Errorf("--good %s: %w; give a copy of hdl/rtl, or a revision", name, err)
	}
	if st, err := os.Stat(name); err == nil {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, fail(err)
		}
		if !st.IsDir() {
			return nil, fail(errors.New("it is a file"))
		}
		return &campaign.Good{Name: name, RTL: abs}, nil
	}
	root, err := a.Checkout("--good " + name + ", a revision")
	if err != nil {
		return nil, err
	}
	commit, err := revision.Resolve(ctx, root, name)
	if err != nil {
		return nil, fail(err)
	}
	dir := filepath.Join(root, "build", "ci", "good", commit)
	if err := revision.Extract(ctx, root, commit, "hdl/rtl", dir); err != nil {
		return nil, fail(err)
	}
	return &campaign.Good{Name: commit, RTL: filepath.Join(dir, "hdl", "rtl")}, nil
}
