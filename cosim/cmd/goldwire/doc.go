// Command goldwire is the only program of the project. It drives the golden models and the Verilated RTL side by side,
// replays recorded traces through the golden model, and lists what can be run.
//
//	goldwire cosim --block ccc --source fabric:incast32 --events 1M --seed 7
//	goldwire list sources
//	goldwire schema show ccc
//
// It exits with 0 when everything agrees, 1 when a mismatch was found, and 2 when it was called wrongly or the harness
// broke, with one line on stderr that gives the cause and the fix. Results go to stdout and to the requested files,
// logs to stderr.
package main
