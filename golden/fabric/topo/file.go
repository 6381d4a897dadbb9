package topo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/golden/fabric/near"
	"github.com/goldwire/goldwire/golden/units"
)

// file is the YAML form of a network. Hosts and switches are known by name.
type file struct {
	Hosts    []string   `yaml:"hosts"`
	Switches []string   `yaml:"switches"`
	Links    []fileLink `yaml:"links"`
}

type fileLink struct {
	A         string  `yaml:"a"`
	B         string  `yaml:"b"`
	Gbps      float64 `yaml:"gbps"`
	LatencyUs float64 `yaml:"latency_us"`
}

var (
	unknownKey = regexp.MustCompile(`^line (\d+): field (\S+) not found in type topo\.(\w+)$`)
	wrongType  = regexp.MustCompile("^line (\\d+): cannot unmarshal !!\\w+ `?(.*?)`? ?into (.*)$")
	keys       = map[string][]string{"file": {"hosts", "switches", "links"}, "fileLink": {"a", "b", "gbps", "latency_us"}}
	kinds      = map[string]string{"float64": "a number", "string": "a name",
		"[]string":        "a list of names",
		"[]topo.fileLink": "a list of links such as {a: h0, b: s0}",
		"topo.fileLink":   "a link such as {a: h0, b: s0}", "topo.file": "hosts, switches and links"}
)

// plain rewords a decoder's errors in the terms of the file, on one line.
func plain(err error) error {
	var te *yaml.TypeError
	if !errors.As(err, &te) {
		return errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	out := make([]string, len(te.Errors))
	for i, e := range te.Errors {
		out[i] = e
		if m := unknownKey.FindStringSubmatch(e); m != nil {
			out[i] = fmt.Sprintf("line %s: unknown key %s; known keys are %s", m[1], m[2], strings.Join(keys[m[3]], ", "))
			if k := near.Name(m[2], keys[m[3]]); k != "" {
				out[i] += fmt.Sprintf("; did you mean %s?", k)
			}
		} else if m := wrongType.FindStringSubmatch(e); m != nil && kinds[m[3]] != "" {
			out[i] = strings.TrimSpace(fmt.Sprintf("line %s: %s", m[1], m[2])) + ": want " + kinds[m[3]]
			if m[2] == "" {
				out[i] = fmt.Sprintf("line %s: want %s", m[1], kinds[m[3]])
			}
		}
	}
	return errors.New(strings.Join(out, "; "))
}

// Parse reads a network from YAML of the form
//
//	hosts: [h0, h1]
//	switches: [s0]
//	links:
//	  - {a: h0, b: s0, gbps: 400, latency_us: 0.5}
//	  - {a: h1, b: s0}
//
// where a link without gbps or latency_us takes those of link. It errors, with the key, when the text makes no network.
func Parse(text []byte, link Link) (*Graph, error) {
	var f file
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&f); errors.Is(err, io.EOF) {
		return nil, errors.New("empty; give hosts, switches and links")
	} else if err != nil {
		return nil, plain(err)
	}
	g := &Graph{Hosts: len(f.Hosts), Names: append(append([]string(nil), f.Hosts...), f.Switches...)}
	number := map[string]int32{}
	for i, name := range g.Names {
		key, at := "hosts", i
		if i >= g.Hosts {
			key, at = "switches", i-g.Hosts
		}
		if _, ok := number[name]; ok || name == "" {
			return nil, fmt.Errorf("%s[%d]: the name %q is empty or taken", key, at, name)
		}
		number[name] = int32(i)
	}
	for i, l := range f.Links {
		a, okA := number[l.A]
		b, okB := number[l.B]
		if !okA {
			return nil, fmt.Errorf("links[%d].a: %q is neither host nor switch", i, l.A)
		}
		if !okB {
			return nil, fmt.Errorf("links[%d].b: %q is neither host nor switch", i, l.B)
		}
		if math.IsNaN(l.LatencyUs) || l.LatencyUs < 0 || l.LatencyUs > 1e6 {
			return nil, fmt.Errorf("links[%d].latency_us: %v: want above 0 to 10^6", i, l.LatencyUs)
		}
		g.Links = append(g.Links, Link{a, b, units.Gbps(l.Gbps), int64(math.Round(l.LatencyUs * 1e6))}.Or(link))
	}
	if _, err := g.Net(); err != nil {
		return nil, err
	}
	return g, nil
}
