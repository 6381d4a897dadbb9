//go:build !linux

package launch

import "syscall"

// Without a parent-death signal the DUT ends when its connection does.
func processAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
