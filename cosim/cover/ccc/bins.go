package ccc

import (
	"slices"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/rtt"
	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Labels that several groups of ccc share.
var (
	ctxKinds  = cover.Labels("OPEN CLOSE LOAD READ NEW_DATA SEND ACK NACK LOSS BIND SAMPLE CREDIT") // ctxIndex
	viewKinds = cover.Labels("LOAD READ NEW_DATA SEND ACK NACK LOSS BIND SAMPLE CREDIT")            // viewIndex
	// From ccc.KindSend on.
	workKinds  = cover.Labels("SEND ACK NACK LOSS BIND SAMPLE CREDIT")
	stateNames = cover.Labels("IDLE PENDING ACTIVE READY")
	ackActions = cover.Labels("FAIR PROP FAST MD NOOP RCV_LIMIT NO_RTT IGNORE QA")
	ackFlags   = cover.Labels("stale saturated underflow base_fell saved restored qa_window fulfilled eta_applied")
	signs      = cover.Labels("negative zero positive")
	ofWhat     = cover.Labels("sample average") // what gave the delay
	floorNames = cover.Labels("cwnd max_wnd saved_cwnd")
)

// neverWith lists the flags that an ACK's action excludes by the order of the contract: nothing is saved without
// pend, nothing restored with it, and what stops before a step does not do the step.
var neverWith = map[string][]string{
	"FAIR": {"saved"}, "PROP": {"saved"}, "FAST": {"saved"}, "RCV_LIMIT": {"restored"},
	"NO_RTT": {"base_fell", "qa_window", "fulfilled", "eta_applied"},
	"IGNORE": {"qa_window", "fulfilled", "eta_applied"},
	"QA":     {"fulfilled", "eta_applied"},
}

// saturations are the bins of the points where a value saturates, in the order of satNames.
type saturations struct {
	Backlog, InflightSend, InflightAckLow, InflightAckHigh, InflightNack, InflightLoss, Pkts, IgnoredAck,
	IgnoredNack, IgnoredLoss, Received, Achieved, FI, IncFair, IncProp, Quotient, WaitingNack, WaitingLoss,
	RtxNack, RtxLoss, InflightBind, CreditSend int
}

var satNames = cover.Labels(`backlog inflight_SEND inflight_ACK_low inflight_ACK_high inflight_NACK inflight_LOSS
	inflight_pkts bytes_ignored_ACK bytes_ignored_NACK bytes_ignored_LOSS received_bytes achieved_bytes fi_count
	inc_bytes_FAIR inc_bytes_PROP quotient waiting_rtx_NACK waiting_rtx_LOSS rtx_backlog_NACK rtx_backlog_LOSS
	inflight_BIND credit_SEND`)

// Paths through quick adapt, in the order of qaNames.
const (
	qaDisabled = iota
	qaIgnore
	qaOpen
	qaFirst
	qaNoCause
	qaNoRoom
	qaFired
)

var qaNames = cover.Labels("disabled ignores window_open first_window no_cause enough_achieved fires")

// facts are the bins of single facts, in the order of factNames; of an array, the first is of an ACK, the second of a
// NACK.
type facts struct {
	CwndOne, CwndMax, QARaises, QALowers, QAByTrigger, QAByLoss, QAByDelay, TriggerKept, TriggerDisabled,
	PenaltyInflight, PenaltyCwnd, PenaltyNegative, RestoreBaseFell, GrowthLowers, FulfilPeriod, FulfilBytes,
	FulfilBoth, Quotient0, QuotientSome, MDBelow, MDGuard, MDRatio, MDFloor, MDNothing, FastCounts, FastStarts,
	FastContinues, FastEnds, FastOff, WrapRTT, WrapDec, WrapAdjust, WrapQA, Reopen, TwoPDCs, MWNDCapped, MWNDRate,
	MWNDFloor, OpenSmall, LoadRaised, LoadNoise, Rtx3, NackService, TargetZero, Never, CfgAfterEvent, CfgOther,
	OtherProfile, LoadProfile, BindFrees, SampleInWindow, AverageFloored int
	WindowLong     [2]int
	WindowByConfig [2]int
	WindowByBase   [2]int
	WindowWide     int
}

var factNames = cover.Labels(`cwnd_1 cwnd_2^32-1 qa_raises_cwnd qa_lowers_cwnd qa_fires_by_trigger qa_fires_by_loss
	qa_fires_by_delay trigger_kept_without_fire trigger_set_while_disabled penalty_from_inflight penalty_from_cwnd
	penalty_negative_inflight restore_while_base_rtt_falls growth_lowers_cwnd_above_max fulfil_by_period
	fulfil_by_bytes fulfil_by_both quotient_0 quotient_above_0 md_average_not_above md_guarded md_by_ratio md_by_floor
	md_applied_cuts_nothing fast_counts fast_starts fast_continues fast_ends fast_stays_off wrap_rtt wrap_last_dec
	wrap_last_adjust wrap_qa_end open_of_open_context pdc_other_than_last max_wnd_capped max_wnd_by_rate max_wnd_at_mtu
	open_with_max_wnd_below_mtu load_raises_to_mtu load_ignores_bits rtx_count_3 nack_with_service_time target_0
	qa_threshold_never config_between_events config_of_another_profile_between_events next_event_of_another_profile
	load_changes_profile bind_frees_slot sample_lowers_base_rtt_in_window average_floored_below_target
	window_end_too_far_ahead_ACK window_end_too_far_ahead_NACK window_open_by_config_base_rtt_ACK
	window_open_by_config_base_rtt_NACK window_open_by_base_rtt_ACK window_open_by_base_rtt_NACK
	window_end_beyond_32_bits`)

// bins holds the groups of the ccc block.
type bins struct {
	refused struct {
		MTU, CfgWriteAddr, CfgWriteProfile, CfgReadAddr, CfgReadProfile, Open, LoadAddr, LoadPdc, LoadProfile,
		ReadAddr, ReadPdc, Ack, Bind, Credit int
	}
	und struct{ Backlog, SendWaiting, SendRtx, AckWaiting, AckRtx, PktsAck, PktsNack, PktsLoss int }

	kind, stateBefore, noRange, stateAfter, action, canSend, ackReq, both            cover.Cross
	flag                                                                             flags
	quad, ackFlag                                                                    cover.Cross
	thDelay, thFast, thBase, thAvg, thDec, thPeriod, thBytes, thIgnore, thGate, thQD cover.Cross
	thQAEnd, thFI, thRoom, thTrigger, thSaved, thFloor                               cover.Cross
	raw, rcvd, rcvdWrap, service, rtx, pend, saved, reason, nackActed, lb, markNack  cover.Cross
	sign, toIgnore, atMTU, atMax, fulfil, qa, gate, ewma                             cover.Cross
	cfgWrite, cfgRead, loadWord, readWord, shift, ctrl                               cover.Cross
	sat                                                                              saturations
	fact                                                                             facts

	profiles                                                                         int // NumProfiles
	profileOpen, profileLoad, profileWrite, profileRead, profileShift, profileReg    cover.Cross
	loadSlot, readSlot, bindSlot, bindSize, sampleData, thSample, floored, thFloored cover.Cross
	noSample, noSampleCtrl, thAverage                                                cover.Cross
	credit
}

// Legal pairs of kind and action, those of a kind in the order of their codes.
var actionPairs = cover.Labels(`SEND.NONE ACK.FAIR ACK.PROP ACK.FAST ACK.MD ACK.NOOP ACK.RCV_LIMIT ACK.NO_RTT
	ACK.IGNORE ACK.QA NACK.NOOP NACK.IGNORE NACK.QA NACK.NACK_DEC LOSS.LOSS_DEC`)

// flags are the bins of flags by kind, in the order of flagNames; of an array, the first is of an ACK, the second of a
// NACK.
type flags struct {
	NewSaturated, SendSaturated, AckSaturated, NackSaturated, LossSaturated, SendUnderflow, AckUnderflow,
	NackUnderflow, LossUnderflow, Stale int
	RTTValid, BaseFell                     [2]int
	RcvLimit, Saved, Restored              int
	QAWindow, QAFired, Ignored             [2]int
	MDApplied, Fulfilled, EtaApplied       int
	BindSaturated, SampleValid, SampleFell int
	SpecEnded                              [4]int // as enders
	Granted                                int
}

var flagNames = cover.Labels(`NEW_DATA.saturated SEND.saturated ACK.saturated NACK.saturated LOSS.saturated
	SEND.underflow ACK.underflow NACK.underflow LOSS.underflow ACK.stale ACK.rtt_valid NACK.rtt_valid ACK.base_fell
	NACK.base_fell ACK.rcv_limit ACK.saved ACK.restored ACK.qa_window NACK.qa_window ACK.qa_fired NACK.qa_fired
	ACK.ignored NACK.ignored ACK.md_applied ACK.fulfilled ACK.eta_applied BIND.saturated SAMPLE.rtt_valid
	SAMPLE.base_fell ACK.spec_ended NACK.spec_ended LOSS.spec_ended CREDIT.spec_ended CREDIT.granted`)

var reasonNames = cover.Labels("0 1 2 3 NO_PDC NO_CCC NO_BITMAP NO_PKT_BUFFER PSN_OOR ROD_OOO RCVR_INFER_LOSS other")

// reasonIndex is the place of a NACK code in reasonNames.
func reasonIndex(code ccc.Reason) int {
	return cover.Among(code, 0, 1, 2, 3, 4, 5, 6, 7, 0x0b, 0x0d, 0x1a)
}

func (c *bins) define(p *cover.Plan, contexts, slots, profiles int) {
	c.profiles = profiles
	kinds, regs := make([]string, 16), make([]string, ccc.NumRegs)
	for k := range kinds {
		kinds[k] = ccc.Kind(k).String()
	}
	for a, r := range ccc.RegInfo {
		regs[a] = r.Name
	}
	c.kind = p.Add("kind", kinds)
	c.stateBefore = p.Add("kind_in_state", ctxKinds, append(cover.Labels("INVALID"), stateNames...))
	c.noRange = p.Add("context_out_of_range", ctxKinds)
	c.stateAfter = p.Add("state_after", viewKinds, stateNames)
	c.action = p.Add("action", actionPairs)
	p.Places("flag", flagNames, &c.flag)
	c.canSend = p.Add("can_send", viewKinds, cover.YesNo)
	c.ackReq = p.Add("ack_request", viewKinds, cover.YesNo)
	c.both = p.Add("can_send_and_ack_request", cover.YesNo, cover.YesNo)
	c.quad = p.Add("ack_mark_high_pend_path", cover.YesNo, cover.YesNo, cover.YesNo, cover.Labels("quadrant ignore qa"))
	c.ackFlag = p.Add("ack_action_with_flag", ackActions, ackFlags)

	c.thDelay = p.Add("threshold_delay_target_mark_pend", cover.Sides, cover.YesNo, cover.YesNo)
	c.thFast = p.Add("threshold_delay_fast_delay", ofWhat, cover.Sides)
	c.thBase = p.Add("threshold_rtt_base_rtt", rtt.Kinds, cover.Sides)
	c.thAvg = p.Add("threshold_avg_delay_target", cover.Sides)
	c.thDec = p.Add("threshold_since_dec_base_rtt", cover.Sides)
	c.thPeriod = p.Add("threshold_since_adjust_period", cover.Sides)
	c.thBytes = p.Add("threshold_received_adjust_bytes", cover.Sides)
	c.thIgnore = p.Add("threshold_ignored_to_ignore", rtt.Kinds, cover.NearSides)
	c.thGate = p.Add("threshold_achieved_gate", rtt.Kinds, cover.NearSides)
	c.thQD = p.Add("threshold_qdelay_qa_threshold", ofWhat, cover.Sides)
	c.thQAEnd = p.Add("threshold_now_qa_endtime", rtt.Kinds, cover.Labels(`1_ago now 1_ahead below_bound bound
		above_bound 2^47-1_ahead 2^47_ahead`))
	c.thFI = p.Add("threshold_fi_count_cwnd", cover.Sides)
	c.thRoom = p.Add("threshold_inflight_mtu_cwnd", cover.Sides)
	c.thTrigger = p.Add("threshold_cwnd_ack_gen_trigger", cover.Sides)
	c.thSaved = p.Add("threshold_saved_max_wnd", cover.Sides)
	c.thFloor = p.Add("threshold_cwnd_less_size_mtu", cover.Labels("NACK LOSS"), cover.NearSides)

	c.raw = p.Add("rtt", rtt.Kinds, rtt.Values)
	c.rcvd = p.Add("rcvd_delta_pdc", cover.Labels("0 1 usual 2^23-1 2^23 backwards 2^24-1"), cover.Numbers(0, slots-1))
	c.rcvdWrap = p.Add("rcvd_wraps_pdc", cover.Numbers(0, slots-1))
	c.service = p.Add("service_time_shift", rtt.Services, cover.Numbers(0, 7))
	c.rtx = p.Add("rtx_count_retx_tx_valid", rtt.Kinds, cover.Numbers(0, 3), cover.YesNo, cover.YesNo)
	c.pend = p.Add("pend_rc", cover.Labels("0 1 64 127 other"), cover.YesNo)
	c.saved = p.Add("saved_pend_rc", cover.YesNo, cover.YesNo, cover.YesNo)
	c.reason = p.Add("nack_reason_rccc", reasonNames, cover.YesNo)
	c.nackActed = p.Add("nack_trim_action", cover.Labels("TRIMMED LASTHOP"), cover.Labels("NACK_DEC IGNORE QA"))
	c.lb = p.Add("lb", cover.Labels("ACK.NO_ECN ACK.ECN NACK.NO_ECN NACK.ECN NACK.NACK LOSS.TIMEOUT"))
	c.markNack = p.Add("nack_mark_reason", cover.YesNo, cover.Labels("TRIMMED LASTHOP other"))

	p.Places("saturates", satNames, &c.sat)
	p.Places("underflows", cover.Labels(`backlog waiting_rtx_SEND rtx_backlog_SEND waiting_rtx_ACK rtx_backlog_ACK
		inflight_pkts_ACK inflight_pkts_NACK inflight_pkts_LOSS`), &c.und)
	c.sign = p.Add("inflight_after", workKinds, signs)
	c.toIgnore = p.Add("qa_inflight", rtt.Kinds, signs)
	c.atMTU = p.Add("cwnd_at_mtu_after", cover.Labels("MD NACK_DEC LOSS_DEC PENALTY QA"), cover.YesNo)
	c.atMax = p.Add("cwnd_at_max_after", cover.Labels("FAST FULFIL RESTORE"), cover.YesNo)
	c.fulfil = p.Add("fulfilled_eta", cover.Labels("FAIR PROP FAST MD NOOP RCV_LIMIT"), cover.Labels("no bytes_only eta"))
	c.qa = p.Add("quick_adapt", rtt.Kinds, qaNames)
	c.gate = p.Add("qa_gate_at_window", gateLabels)
	c.ewma = p.Add("avg_delay", cover.Labels("delay base/4 trim"), cover.Labels("falls stays rises"))

	c.cfgWrite = p.Add("cfg_write", regs, cover.Labels("0 largest other"))
	c.cfgRead = p.Add("cfg_read", regs)
	p.Places("refused", cover.Labels(`MTU_0 CFG_WRITE_addr CFG_WRITE_profile CFG_READ_addr CFG_READ_profile OPEN_profile
		LOAD_addr LOAD_pdc LOAD_profile READ_addr READ_pdc ACK_pdc BIND_pdc CREDIT_off`), &c.refused)
	c.loadWord = p.Add("load_word", cover.Numbers(0, ccc.NumWords-1))
	c.readWord = p.Add("read_word", cover.Numbers(0, ccc.NumWords-1))
	c.shift = p.Add("time_shift_of_sample", cover.Numbers(0, 7))
	c.ctrl = p.Add("ctrl_at_nack", cover.Numbers(0, 15))
	p.Places("rule", factNames, &c.fact)

	// A profile beyond the last is one bin.
	in := cover.Numbers(0, profiles-1)
	any := append(cover.Numbers(0, profiles-1), "out_of_range")
	c.profileOpen = p.Add("open_profile", in)
	c.profileLoad = p.Add("load_profile", in)
	c.profileWrite = p.Add("cfg_write_profile", in)
	c.profileRead = p.Add("cfg_read_profile", any)
	c.profileShift = p.Add("time_shift_write_profile", any)
	own := slices.Delete(slices.Clone(regs), ccc.RegTimeShift, ccc.RegTimeShift+1) // which is of no profile
	c.profileReg = p.Add("cfg_write_register_profile", own, cover.Labels("0 other")[:min(profiles, 2)])
	c.loadSlot = p.Add("load_last_rcvd", cover.Numbers(0, slots-1))
	c.readSlot = p.Add("read_last_rcvd", cover.Numbers(0, slots-1))
	c.bindSlot = p.Add("bind_slot_used_from", cover.Numbers(0, slots-1), cover.YesNo, cover.Labels("0 other"))
	c.bindSize = p.Add("bind_size", cover.Labels("0 1_to_255 256_to_2^31-1 above"))
	c.sampleData = p.Add("sample_data", cover.Labels("0 1 usual 2^31-1 2^31 32_bits above above_with_usual_low_bits"))
	c.thSample = p.Add("threshold_sample_base_rtt", cover.Sides)
	c.floored = p.Add("raised_to_mtu", viewKinds, floorNames)
	c.thFloored = p.Add("threshold_mtu_before", floorNames, cover.Sides)
	c.noSample = p.Add("no_sample_action", ackActions)
	c.noSampleCtrl = p.Add("no_sample_ctrl", cover.Numbers(0, 15))
	c.thAverage = p.Add("threshold_average_target_mark_pend", cover.Sides, cover.YesNo, cover.YesNo)
	c.credit.define(p)
	c.exclude(p, contexts, slots)
}
