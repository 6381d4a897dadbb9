// Package tools holds install.sh, which brings a fresh machine to where `make test` and `make cosim`
// run, and the tests of that script against make-believe machines.
package tools
