// Package tools holds install.sh, which installs everything that `make test` and `make cosim` need on a fresh machine,
// matrix.sh, which plays both on bare Debian systems, and the tests of these scripts on simulated machines.
package tools
