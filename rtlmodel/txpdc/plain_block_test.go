package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// plainBlock implements the timing by its recurrences: every count is a number, and every FIFO is a slice.
type plainBlock struct {
	*plainSource
	t          int // cycles with rst_n high since the reset
	phase, now int
	c, x       int
	turn, gap  int
	cmd        []port.Cmd
	rec        []port.Rec
	view       []port.View
	job        plainJob
	acts       []port.Act
	rsp        []port.Response
}

// plainJob is a job that runs from its first cycle to its last one.
type plainJob struct {
	from, to int
	name     string // view, timer, rec, cmd or turn
	cmd      port.Cmd
	rec      port.Rec
	view     port.View
}

func newPlainBlock(contexts int) *plainBlock {
	return &plainBlock{plainSource: newPlain(contexts), job: plainJob{from: -1, to: -1}}
}

type plainIn struct {
	rstN, cmdValid, recValid, viewValid, actReady, rspReady bool
	cmd                                                     port.Cmd
	rec                                                     port.Rec
	view                                                    port.View
}

type plainOut struct {
	cmdReady, recReady, viewReady, actValid, rspValid bool
	act                                               port.Act
	rsp                                               port.Response
}

// plainSeen is what happened in a cycle, for the tests.
type plainSeen struct {
	idle, room bool
	may        map[string]bool // where idle
	start      string
	end        string
	acts       bool // what ended has an action
}

func (b *plainBlock) cycle(in plainIn) (out plainOut, seen plainSeen) {
	if !in.rstN {
		*b = *newPlainBlock(len(b.ctx))
		return out, seen
	}
	t, up := b.t, b.t >= len(b.pdc)*128
	out.cmdReady = up && len(b.cmd) < 2
	out.recReady = up && len(b.rec) < 2
	out.viewReady = up && len(b.view) < 2
	if len(b.acts) > 0 {
		out.actValid, out.act = true, b.acts[0]
	}
	if len(b.rsp) > 0 {
		out.rspValid, out.rsp = true, b.rsp[0]
	}
	takeA, takeR := out.actValid && in.actReady, out.rspValid && in.rspReady
	period := b.tick

	room := b.x < 8
	may := map[string]bool{"view": len(b.view) > 0, "timer": b.gap >= 31 && room, "rec": len(b.rec) > 0 && room,
		"cmd": len(b.cmd) > 0 && room && b.c < 4, "turn": len(b.ready) > 0 && room}
	seen.idle, seen.room, seen.may = up && b.job.to < t, room, may
	turns := []string{"rec", "cmd", "turn"}
	start := ""
	if seen.idle {
		order := []string{"view", "timer", turns[b.turn], turns[(b.turn+1)%3], turns[(b.turn+2)%3]}
		for _, name := range order {
			if may[name] && start == "" {
				start = name
			}
		}
	}
	seen.start = start
	turn, gap := b.turn, b.gap
	if up {
		gap = least(gap+1, 31)
	}
	if start != "" {
		b.job = plainJob{from: t, name: start}
		busy := map[string]int{"view": 2, "timer": 8, "rec": 8, "cmd": 6, "turn": 8}[start]
		switch start {
		case "view":
			b.job.view, b.view = b.view[0], b.view[1:]
		case "timer":
			gap, busy = 0, busy+b.retires()
		case "rec":
			b.job.rec, b.rec, turn = b.rec[0], b.rec[1:], 1
			busy += b.unmarks(b.job.rec)
		case "cmd":
			b.job.cmd, b.cmd, turn = b.cmd[0], b.cmd[1:], 2
		case "turn":
			turn = 0
		}
		b.job.to = t + busy - 1
	}
	if takeA {
		b.acts = b.acts[1:]
	}
	if takeR {
		b.rsp = b.rsp[1:]
	}
	if in.cmdValid && out.cmdReady {
		b.cmd = append(b.cmd, in.cmd)
	}
	if in.recValid && out.recReady {
		b.rec = append(b.rec, in.rec)
	}
	if in.viewValid && out.viewReady {
		b.view = append(b.view, in.view)
	}

	none := false
	if b.job.to == t {
		var act *port.Act
		switch b.job.name {
		case "view":
			b.viewed(b.job.view)
		case "timer":
			act = b.timed(b.now)
		case "rec":
			act = b.recorded(b.job.rec, b.now)
		case "turn":
			act = b.turned(b.now)
		case "cmd":
			var r port.Response
			r, act = b.command(b.job.cmd, b.now)
			b.rsp = append(b.rsp, r)
		}
		none = act == nil && b.job.name != "view"
		if act != nil {
			b.acts = append(b.acts, *act)
		}
		seen.end, seen.acts = b.job.name, act != nil
	}

	b.c += number(start == "cmd") - number(takeR)
	b.x += number(start != "" && start != "view") - number(takeA) - number(none)
	b.turn, b.gap = turn, gap
	if b.phase+1 >= period {
		b.phase, b.now = 0, (b.now+1)%(two24*two24)
	} else {
		b.phase++
	}
	b.t++
	return out, seen
}
