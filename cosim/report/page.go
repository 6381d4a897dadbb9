package report

import (
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// Page is one self-contained page: a banner with the verdict, sections, and groups of sections with a banner each.
// Every HTML report is one.
type Page struct {
	Banner
	Title    string
	Sections []Section
	Groups   []Group
}

// Banner is a verdict, a word and a line of reasons; Class is its colour: good, warn or bad.
type Banner struct{ Word, Class, Line string }

// Group is the sections of one run. A single group has no banner of its own: the page's banner is enough.
type Group struct {
	Banner
	ID, Title string
	Sections  []Section
}

//go:embed page.tmpl
var pageTemplate string

//go:embed page.css
var pageCSS string

var pages = parsePage()

// parsePage makes the template refer to itself: a part is rendered by the template that its type names.
func parsePage() *template.Template {
	t := template.New("report")
	t.Funcs(template.FuncMap{
		"zero": zero, "none": orNone,
		"draw": func(f Figure) template.HTML { return template.HTML(f.SVG()) },
		"part": func(p Part) (template.HTML, error) {
			if p == nil {
				return "", errors.New("a part of a section is nil")
			}
			var b strings.Builder
			err := t.ExecuteTemplate(&b, p.template(), p)
			return template.HTML(b.String()), err
		},
	})
	return template.Must(t.Parse(pageTemplate))
}

type sectionView struct {
	Section
	Outcome, Class, Why string
}

type groupView struct {
	Group
	Sections []sectionView
}

func sectionViews(sections []Section) (out []sectionView) {
	for _, s := range sections {
		if s.Title == "" {
			continue
		}
		o, why := s.Outcome()
		v := sectionView{s, string(o), o.class(), ""}
		if why != "" {
			v.Why = why + "."
		}
		out = append(out, v)
	}
	return out
}

// WriteHTML writes the page. Styles and figures are inside; it loads nothing and has no script. It follows the reader's
// light or dark setting and prints in black on white. Equal pages give equal bytes.
func (p *Page) WriteHTML(w io.Writer) error {
	v := struct {
		*Page
		CSS      template.CSS
		Sections []sectionView
		Groups   []groupView
	}{p, template.CSS(pageCSS), sectionViews(p.Sections), nil}
	for _, g := range p.Groups {
		v.Groups = append(v.Groups, groupView{g, sectionViews(g.Sections)})
	}
	if err := pages.ExecuteTemplate(w, "page", v); err != nil {
		return fmt.Errorf("html report: %w", err)
	}
	return nil
}
