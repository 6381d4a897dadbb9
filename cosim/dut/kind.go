package dut

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	rtlegress "github.com/goldwire/goldwire/rtlmodel/egress"
	rtlintmd "github.com/goldwire/goldwire/rtlmodel/intmd"
	rtlswitchport "github.com/goldwire/goldwire/rtlmodel/switchport"
	rtltrimmer "github.com/goldwire/goldwire/rtlmodel/trimmer"
	rtltxstate "github.com/goldwire/goldwire/rtlmodel/txstate"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
	"github.com/goldwire/goldwire/vectors/event/intmd"
	"github.com/goldwire/goldwire/vectors/event/switchport"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// ErrUnknownBlock is wrapped by Lookup's error.
var ErrUnknownBlock = errors.New("unknown block")

// Kind is one block: its schema and how to make its twin for given parameters.
type Kind struct {
	Name   string
	Schema *event.Block
	// NewTwin errors when a parameter is out of range.
	NewTwin func(params map[string]int) (event.Model, error)
}

var kinds = map[string]*Kind{
	ccc.BlockName: {
		Name: ccc.BlockName, Schema: ccc.Schema(),
		NewTwin: func(p map[string]int) (event.Model, error) {
			return rtlccc.New(rtlccc.Spec{NumContexts: p["NumContexts"], NumPdcs: p["NumPdcs"], NumProfiles: p["NumProfiles"]})
		},
	},
	txstate.BlockName: {
		Name: txstate.BlockName, Schema: txstate.Schema(),
		NewTwin: func(p map[string]int) (event.Model, error) {
			return rtltxstate.New(rtltxstate.Spec{NumPdcs: p["NumPdcs"], Depth: p["Depth"]})
		},
	},
	egress.BlockName: {
		Name: egress.BlockName, Schema: egress.Schema(),
		NewTwin: func(p map[string]int) (event.Model, error) {
			return rtlegress.New(rtlegress.Spec{NumPorts: p["NumPorts"], Depth: p["Depth"]})
		},
	},
	intmd.BlockName: {
		Name: intmd.BlockName, Schema: intmd.Schema(),
		NewTwin: func(p map[string]int) (event.Model, error) {
			return rtlintmd.New(rtlintmd.Spec{NumPorts: p["NumPorts"]})
		},
	},
	switchport.BlockName: {
		Name: switchport.BlockName, Schema: switchport.Schema(),
		NewTwin: func(p map[string]int) (event.Model, error) {
			return rtlswitchport.New(rtlswitchport.Spec{NumPorts: p["NumPorts"], Depth: p["Depth"], Slots: p["Slots"]})
		},
	},
	trimmer.BlockName: {
		Name: trimmer.BlockName, Schema: trimmer.Schema(),
		NewTwin: func(map[string]int) (event.Model, error) { return rtltrimmer.New(), nil },
	},
}

// Blocks returns the names of all blocks in order.
func Blocks() []string { return slices.Sorted(maps.Keys(kinds)) }

// Lookup returns the block of that name, or an error that lists the known ones.
func Lookup(name string) (*Kind, error) {
	if k := kinds[name]; k != nil {
		return k, nil
	}
	return nil, fmt.Errorf("%w %q: known blocks are %s", ErrUnknownBlock, name, strings.Join(Blocks(), ", "))
}

// Params returns the value of each parameter of the block, as event.Block.Values does.
func (k *Kind) Params(given map[string]int) (map[string]int, error) { return k.Schema.Values(given) }
