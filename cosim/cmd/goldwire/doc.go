// Command goldwire is the one program of the project: it drives the golden
// models and the Verilated RTL side by side, replays recorded traces through the
// golden model, and lists what there is to run.
//
//	goldwire cosim --block ccc --source fabric:incast32 --events 1M --seed 7
//	goldwire list sources
//	goldwire schema show ccc
//
// It exits with 0 when all agrees, 1 when a mismatch was found, and 2 when it was
// called wrongly or the harness broke, with one line on stderr that gives the cause and the fix. Results go to stdout
// and to the files asked for, logs to stderr.
package main
