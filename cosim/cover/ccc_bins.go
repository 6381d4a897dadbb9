package cover

import (
	"slices"

	"github.com/goldwire/goldwire/vectors/event/ccc"
)

// Labels that several groups of ccc share.
var (
	ctxKinds   = words("OPEN CLOSE LOAD READ NEW_DATA SEND ACK NACK LOSS BIND SAMPLE") // ctxIndex
	viewKinds  = words("LOAD READ NEW_DATA SEND ACK NACK LOSS BIND SAMPLE")            // viewIndex
	workKinds  = words("SEND ACK NACK LOSS BIND SAMPLE")                               // from ccc.KindSend on
	stateNames = words("IDLE PENDING ACTIVE READY")
	ackActions = words("FAIR PROP FAST MD NOOP RCV_LIMIT NO_RTT IGNORE QA")
	ackFlags   = words("stale saturated underflow base_fell saved restored qa_window fulfilled eta_applied")
	signs      = words("negative zero positive")
	ofWhat     = words("sample average") // what gave the delay
	floorNames = words("cwnd max_wnd saved_cwnd")
)

// ackFlag numbers, in the order of ackFlags.
const (
	fStale = iota
	fSaturated
	fUnderflow
	fBaseFell
	fSaved
	fRestored
	fQAWindow
	fFulfilled
	fEta
)

// neverWith lists the flags that an ACK's action excludes by the order of the
// contract: nothing is saved without pend, nothing restored with it, and what
// stops before a step does not do the step.
var neverWith = map[string][]string{
	"FAIR": {"saved"}, "PROP": {"saved"}, "FAST": {"saved"}, "RCV_LIMIT": {"restored"},
	"NO_RTT": {"base_fell", "qa_window", "fulfilled", "eta_applied"},
	"IGNORE": {"qa_window", "fulfilled", "eta_applied"},
	"QA":     {"fulfilled", "eta_applied"},
}

// Saturation points, in the order of satNames.
const (
	satBacklog = iota
	satInflightSend
	satInflightAckLow
	satInflightAckHigh
	satInflightNack
	satInflightLoss
	satPkts
	satIgnoredAck
	satIgnoredNack
	satIgnoredLoss
	satReceived
	satAchieved
	satFI
	satIncFair
	satIncProp
	satQuotient
	satWaitingNack
	satWaitingLoss
	satRtxNack
	satRtxLoss
	satInflightBind
)

var satNames = words(`backlog inflight_SEND inflight_ACK_low inflight_ACK_high inflight_NACK inflight_LOSS inflight_pkts
	bytes_ignored_ACK bytes_ignored_NACK bytes_ignored_LOSS received_bytes achieved_bytes fi_count inc_bytes_FAIR
	inc_bytes_PROP quotient waiting_rtx_NACK waiting_rtx_LOSS rtx_backlog_NACK rtx_backlog_LOSS inflight_BIND`)

// Underflows, in the order of undNames.
const (
	undBacklog = iota
	undSendWaiting
	undSendRtx
	undAckWaiting
	undAckRtx
	undPktsAck
	undPktsNack
	undPktsLoss
)

var undNames = words(`backlog waiting_rtx_SEND rtx_backlog_SEND waiting_rtx_ACK rtx_backlog_ACK
	inflight_pkts_ACK inflight_pkts_NACK inflight_pkts_LOSS`)

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

var qaNames = words("disabled ignores window_open first_window no_cause enough_achieved fires")

// Single facts, in the order of factNames.
const (
	factCwndOne = iota
	factCwndMax
	factQARaises
	factQALowers
	factQAByTrigger
	factQAByLoss
	factQAByDelay
	factTriggerKept
	factTriggerDisabled
	factPenaltyInflight
	factPenaltyCwnd
	factPenaltyNegative
	factRestoreBaseFell
	factGrowthLowers
	factFulfilPeriod
	factFulfilBytes
	factFulfilBoth
	factQuotient0
	factQuotientSome
	factMDBelow
	factMDGuard
	factMDRatio
	factMDFloor
	factMDNothing
	factFastCounts
	factFastStarts
	factFastContinues
	factFastEnds
	factFastOff
	factWrapRTT
	factWrapDec
	factWrapAdjust
	factWrapQA
	factReopen
	factTwoPDCs
	factMWNDCapped
	factMWNDRate
	factMWNDFloor
	factOpenSmall
	factLoadRaised
	factLoadNoise
	factRtx3
	factNackService
	factTargetZero
	factNever
	factCfgAfterEvent
	factCfgOther
	factOtherProfile
	factLoadProfile
	factBindFrees
	factSampleInWindow
	factAverageFloored
	factWindowLong // ACK; the next is of a NACK, likewise below
	_
	factWindowByConfig
	_
	factWindowByBase
	_
	factWindowWide
)

var factNames = words(`cwnd_1 cwnd_2^32-1 qa_raises_cwnd qa_lowers_cwnd qa_fires_by_trigger qa_fires_by_loss qa_fires_by_delay
	trigger_kept_without_fire trigger_set_while_disabled penalty_from_inflight penalty_from_cwnd penalty_negative_inflight
	restore_while_base_rtt_falls growth_lowers_cwnd_above_max fulfil_by_period fulfil_by_bytes fulfil_by_both
	quotient_0 quotient_above_0 md_average_not_above md_guarded md_by_ratio md_by_floor md_applied_cuts_nothing
	fast_counts fast_starts fast_continues fast_ends fast_stays_off wrap_rtt wrap_last_dec wrap_last_adjust wrap_qa_end
	open_of_open_context pdc_other_than_last max_wnd_capped max_wnd_by_rate max_wnd_at_mtu open_with_max_wnd_below_mtu
	load_raises_to_mtu load_ignores_bits rtx_count_3 nack_with_service_time target_0 qa_threshold_never config_between_events
	config_of_another_profile_between_events next_event_of_another_profile load_changes_profile bind_frees_slot
	sample_lowers_base_rtt_in_window average_floored_below_target window_end_too_far_ahead_ACK window_end_too_far_ahead_NACK
	window_open_by_config_base_rtt_ACK window_open_by_config_base_rtt_NACK window_open_by_base_rtt_ACK
	window_open_by_base_rtt_NACK window_end_beyond_32_bits`)

// cccPlan holds the groups of the ccc block.
type cccPlan struct {
	kind, stateBefore, noRange, stateAfter, action, flag, canSend, ackReq, both      cross
	quad, ackFlag                                                                    cross
	thDelay, thFast, thBase, thAvg, thDec, thPeriod, thBytes, thIgnore, thGate, thQD cross
	thQAEnd, thFI, thRoom, thTrigger, thSaved, thFloor                               cross
	raw, rcvd, rcvdWrap, service, rtx, pend, saved, reason, nackActed, lb, markNack  cross
	sat, und, sign, toIgnore, atMTU, atMax, fulfil, qa, gate, ewma                   cross
	cfgWrite, cfgRead, refused, loadWord, readWord, fact, shift, ctrl                cross

	profiles                                                                         int // NumProfiles
	profileOpen, profileLoad, profileWrite, profileRead, profileShift, profileReg    cross
	loadSlot, readSlot, bindSlot, bindSize, sampleData, thSample, floored, thFloored cross
	noSample, noSampleCtrl, thAverage                                                cross
}

// Legal (kind, action) pairs, in the order of their bins.
var actionPairs = []struct {
	k ccc.Kind
	a ccc.Action
}{
	{ccc.KindSend, ccc.ActionNone},
	{ccc.KindAck, ccc.ActionFair}, {ccc.KindAck, ccc.ActionProp}, {ccc.KindAck, ccc.ActionFast}, {ccc.KindAck, ccc.ActionMD},
	{ccc.KindAck, ccc.ActionNoop}, {ccc.KindAck, ccc.ActionRcvLimit}, {ccc.KindAck, ccc.ActionNoRTT}, {ccc.KindAck, ccc.ActionIgnore},
	{ccc.KindAck, ccc.ActionQA},
	{ccc.KindNack, ccc.ActionNoop}, {ccc.KindNack, ccc.ActionIgnore}, {ccc.KindNack, ccc.ActionQA}, {ccc.KindNack, ccc.ActionNackDec},
	{ccc.KindLoss, ccc.ActionLossDec},
}

// Flags by kind, in the order of their bins.
var flagNames = words(`NEW_DATA.saturated SEND.saturated ACK.saturated NACK.saturated LOSS.saturated
	SEND.underflow ACK.underflow NACK.underflow LOSS.underflow ACK.stale ACK.rtt_valid NACK.rtt_valid ACK.base_fell NACK.base_fell
	ACK.rcv_limit ACK.saved ACK.restored ACK.qa_window NACK.qa_window ACK.qa_fired NACK.qa_fired ACK.ignored NACK.ignored
	ACK.md_applied ACK.fulfilled ACK.eta_applied BIND.saturated SAMPLE.rtt_valid SAMPLE.base_fell`)

// Flags of the kinds that stand last in flagNames.
const (
	flagBindSaturated = 26 + iota
	flagSampleValid
	flagSampleFell
)

var reasonNames = words("0 1 2 3 NO_PDC NO_CCC NO_BITMAP NO_PKT_BUFFER PSN_OOR ROD_OOO RCVR_INFER_LOSS other")

// reasonIndex maps a NACK code to reasonNames.
var reasonIndex = func() (t [256]uint8) {
	for i := range t {
		t[i] = 11
	}
	for i, code := range []uint8{0, 1, 2, 3, 4, 5, 6, 7, 0x0b, 0x0d, 0x1a} {
		t[code] = uint8(i)
	}
	return t
}()

func (c *cccPlan) define(p *plan, contexts, slots, profiles int) {
	c.profiles = profiles
	var kinds []string
	for k := range 16 {
		kinds = append(kinds, ccc.Kind(k).String())
	}
	var regs []string
	for _, r := range ccc.RegInfo {
		regs = append(regs, r.Name)
	}
	var pairs []string
	for _, x := range actionPairs {
		pairs = append(pairs, x.k.String()+"."+x.a.String())
	}

	c.kind = p.add("kind", kinds)
	c.stateBefore = p.add("kind_in_state", ctxKinds, append(words("INVALID"), stateNames...))
	c.noRange = p.add("context_out_of_range", ctxKinds)
	c.stateAfter = p.add("state_after", viewKinds, stateNames)
	c.action = p.add("action", pairs)
	c.flag = p.add("flag", flagNames)
	c.canSend = p.add("can_send", viewKinds, yesNo)
	c.ackReq = p.add("ack_request", viewKinds, yesNo)
	c.both = p.add("can_send_and_ack_request", yesNo, yesNo)
	c.quad = p.add("ack_mark_high_pend_path", yesNo, yesNo, yesNo, words("quadrant ignore qa"))
	c.ackFlag = p.add("ack_action_with_flag", ackActions, ackFlags)

	c.thDelay = p.add("threshold_delay_target_mark_pend", sides, yesNo, yesNo)
	c.thFast = p.add("threshold_delay_fast_delay", ofWhat, sides)
	c.thBase = p.add("threshold_rtt_base_rtt", rttKinds, sides)
	c.thAvg = p.add("threshold_avg_delay_target", sides)
	c.thDec = p.add("threshold_since_dec_base_rtt", sides)
	c.thPeriod = p.add("threshold_since_adjust_period", sides)
	c.thBytes = p.add("threshold_received_adjust_bytes", sides)
	c.thIgnore = p.add("threshold_ignored_to_ignore", rttKinds, nearSides)
	c.thGate = p.add("threshold_achieved_gate", rttKinds, nearSides)
	c.thQD = p.add("threshold_qdelay_qa_threshold", ofWhat, sides)
	c.thQAEnd = p.add("threshold_now_qa_endtime", rttKinds, words("1_ago now 1_ahead below_bound bound above_bound 2^47-1_ahead 2^47_ahead"))
	c.thFI = p.add("threshold_fi_count_cwnd", sides)
	c.thRoom = p.add("threshold_inflight_mtu_cwnd", sides)
	c.thTrigger = p.add("threshold_cwnd_ack_gen_trigger", sides)
	c.thSaved = p.add("threshold_saved_max_wnd", sides)
	c.thFloor = p.add("threshold_cwnd_less_size_mtu", words("NACK LOSS"), nearSides)

	c.raw = p.add("rtt", rttKinds, rawNames)
	c.rcvd = p.add("rcvd_delta_pdc", words("0 1 usual 2^23-1 2^23 backwards 2^24-1"), numbers(0, slots-1))
	c.rcvdWrap = p.add("rcvd_wraps_pdc", numbers(0, slots-1))
	c.service = p.add("service_time_shift", svcNames, numbers(0, 7))
	c.rtx = p.add("rtx_count_retx_tx_valid", rttKinds, numbers(0, 3), yesNo, yesNo)
	c.pend = p.add("pend_rc", words("0 1 64 127 other"), yesNo)
	c.saved = p.add("saved_pend_rc", yesNo, yesNo, yesNo)
	c.reason = p.add("nack_reason_rccc", reasonNames, yesNo)
	c.nackActed = p.add("nack_trim_action", words("TRIMMED LASTHOP"), words("NACK_DEC IGNORE QA"))
	c.lb = p.add("lb", words("ACK.NO_ECN ACK.ECN NACK.NO_ECN NACK.ECN NACK.NACK LOSS.TIMEOUT"))
	c.markNack = p.add("nack_mark_reason", yesNo, words("TRIMMED LASTHOP other"))

	c.sat = p.add("saturates", satNames)
	c.und = p.add("underflows", undNames)
	c.sign = p.add("inflight_after", workKinds, signs)
	c.toIgnore = p.add("qa_inflight", rttKinds, signs)
	c.atMTU = p.add("cwnd_at_mtu_after", words("MD NACK_DEC LOSS_DEC PENALTY QA"), yesNo)
	c.atMax = p.add("cwnd_at_max_after", words("FAST FULFIL RESTORE"), yesNo)
	c.fulfil = p.add("fulfilled_eta", words("FAIR PROP FAST MD NOOP RCV_LIMIT"), words("no bytes_only eta"))
	c.qa = p.add("quick_adapt", rttKinds, qaNames)
	c.gate = p.add("qa_gate_at_window", words("0 1_to_30 31 32 above"))
	c.ewma = p.add("avg_delay", words("delay base/4 trim"), words("falls stays rises"))

	c.cfgWrite = p.add("cfg_write", regs, words("0 largest other"))
	c.cfgRead = p.add("cfg_read", regs)
	c.refused = p.add("refused", refusedNames)
	c.loadWord = p.add("load_word", numbers(0, ccc.NumWords-1))
	c.readWord = p.add("read_word", numbers(0, ccc.NumWords-1))
	c.shift = p.add("time_shift_of_sample", numbers(0, 7))
	c.ctrl = p.add("ctrl_at_nack", numbers(0, 7))
	c.fact = p.add("rule", factNames)

	// A profile beyond the last is one bin.
	in := numbers(0, profiles-1)
	any := append(numbers(0, profiles-1), "out_of_range")
	c.profileOpen = p.add("open_profile", in)
	c.profileLoad = p.add("load_profile", in)
	c.profileWrite = p.add("cfg_write_profile", in)
	c.profileRead = p.add("cfg_read_profile", any)
	c.profileShift = p.add("time_shift_write_profile", any)
	own := slices.Delete(slices.Clone(regs), ccc.RegTimeShift, ccc.RegTimeShift+1) // which is of no profile
	c.profileReg = p.add("cfg_write_register_profile", own, words("0 other")[:min(profiles, 2)])
	c.loadSlot = p.add("load_last_rcvd", numbers(0, slots-1))
	c.readSlot = p.add("read_last_rcvd", numbers(0, slots-1))
	c.bindSlot = p.add("bind_slot_used_from", numbers(0, slots-1), yesNo, words("0 other"))
	c.bindSize = p.add("bind_size", words("0 1_to_255 256_to_2^31-1 above"))
	c.sampleData = p.add("sample_data", words("0 1 usual 2^31-1 2^31 32_bits above above_with_usual_low_bits"))
	c.thSample = p.add("threshold_sample_base_rtt", sides)
	c.floored = p.add("raised_to_mtu", viewKinds, floorNames)
	c.thFloored = p.add("threshold_mtu_before", floorNames, sides)
	c.noSample = p.add("no_sample_action", ackActions)
	c.noSampleCtrl = p.add("no_sample_ctrl", numbers(0, 7))
	c.thAverage = p.add("threshold_average_target_mark_pend", sides, yesNo, yesNo)
	c.exclude(p, contexts, slots)
}
