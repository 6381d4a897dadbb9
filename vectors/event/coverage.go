package event

import "fmt"

// StreamCoverage is what a schema adds to the coverage of one stream beyond the ends and codes of its fields.
type StreamCoverage struct {
	Name    string          `yaml:"stream"`
	Fields  []FieldCoverage `yaml:"fields"`
	Crosses [][]string      `yaml:"crosses"` // fields of the stream whose classes are counted together
}

// FieldCoverage is the classes into which the values of a field fall: VALUE or LEAST..MOST each.
type FieldCoverage struct {
	Name    string   `yaml:"name"`
	Classes []string `yaml:"classes"`
}

// Classes returns the spans of a field's classes, one by one. It errors when one is not a value of the field.
func (b *Block) Classes(f *Field, c *FieldCoverage) ([]Span, error) {
	if f.Width > 64 {
		return nil, fmt.Errorf("%d bits; classes are for up to 64", f.Width)
	}
	if len(c.Classes) == 0 {
		return nil, fmt.Errorf("there are none; give VALUE or LEAST..MOST for each")
	}
	st := &FieldStimulus{Weights: Weights{}}
	for _, text := range c.Classes {
		st.Weights = append(st.Weights, Weight{Text: text, Weight: 1})
	}
	spans, err := b.Spans(f, st)
	for i := range spans {
		for k := range i {
			if spans[i].Lo.Cmp(&spans[k].Hi) <= 0 && spans[k].Lo.Cmp(&spans[i].Hi) <= 0 {
				return nil, fmt.Errorf("%s and %s have values in common", c.Classes[k], c.Classes[i])
			}
		}
	}
	return spans, err
}

// coverage checks the key coverage.
func (c *checker) coverage() {
	seen := map[string]bool{}
	for i := range c.b.Coverage {
		x := &c.b.Coverage[i]
		path := at("coverage", i)
		s := c.b.Stream(x.Name)
		c.refuse(s == nil || seen[x.Name], append(path, "stream"),
			"coverage: key \"stream\": %q is not a stream, or appears twice", x.Name)
		seen[x.Name] = true
		fields := map[string]bool{}
		for k := range x.Fields {
			f := s.Field(x.Fields[k].Name)
			fp := at("coverage", i, "fields", k)
			c.refuse(f == nil || fields[f.Name], append(fp, "name"),
				"coverage of %s: key \"name\": %q is not a field of the stream, or appears twice", s.Name, x.Fields[k].Name)
			fields[f.Name] = true
			if _, err := c.b.Classes(f, &x.Fields[k]); err != nil {
				c.fail(append(fp, "classes"), "coverage of %s.%s: key \"classes\": %v", s.Name, f.Name, err)
			}
		}
		for k, cross := range x.Crosses {
			cp := at("coverage", i, "crosses", k)
			c.refuse(len(cross) < 2, cp, "coverage of %s: key \"crosses\": a cross names two fields or more: [FIRST, SECOND]",
				s.Name)
			twice := map[string]bool{}
			for _, name := range cross {
				f := s.Field(name)
				c.refuse(f == nil || twice[name] || f.Width > 64, cp,
					"coverage of %s: key \"crosses\": %q is not a field of the stream of up to 64 bits, or appears twice", s.Name,
					name)
				twice[name] = true
			}
		}
	}
}
