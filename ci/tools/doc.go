// Package tools holds install.sh, which installs everything that `make test` and `make cosim` need on a fresh machine,
// and the tests of that script on simulated machines.
package tools
