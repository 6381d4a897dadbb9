// Package tool is what the packages below it share: they work on whole vector files, as the commands goldwire vectors
// cut, merge, diff and suite do. They know no command line: a File says how a vector file is opened, as often as the
// tool needs to read it, and how an error is worded that its contents cause.
//
//	f := tool.File{Name: "random.gwv", Open: func() (*format.Reader, func(), error) { ... }}
//	totals, err := merge.Files(w, []tool.File{f, g})
package tool
