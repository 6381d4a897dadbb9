#include "replay.h"

#include <algorithm>

#include "clock.h"

namespace gw {

void Replay::clear() {
  state_ = State::kCompare;
  seen_ = Outputs();
  busy_ns_ = 0;
  mismatch_ = false;
  old_in_.clear();
  old_want_.clear();
}

void Replay::batch(const uint64_t* in, const uint64_t* want, size_t n) {
  const int64_t start = now_ns();
  size_t done = 0;
  try {
    if (state_ == State::kCompare) done = compare(in, want, n);
    if (state_ == State::kCapture) done += capture(in + done * kInWords, want + done * kOutWords, n - done);
  } catch (const Error& e) {
    // The RTL stopped the simulation: this is a finding about the RTL, and the connection
    // continues.
    stop(e);
  }
  const int64_t busy = now_ns() - start;
  busy_ns_ += busy;
  channel_.send(Type::kResult,
                msgpack::Writer(2).put("cycles", done).put("busy_ns", static_cast<uint64_t>(busy)));
}

void Replay::stop(const Error& e) {
  state_ = State::kDrain;
  channel_.send(Type::kError, msgpack::Writer(3).put("kind", e.kind).put("text", e.what()).put("cycle", seen_.cycles));
}

size_t Replay::compare(const uint64_t* in, const uint64_t* want, size_t n) {
  constexpr size_t kChunk = 256;  // cycles between reads of the clock
  for (size_t i = 0; i < n;) {
    const size_t k = std::min(n - i, kChunk);
    const size_t same = dut_.compare(in + i * kInWords, want + i * kOutWords, k, seen_);
    i += same;
    if (same < k) {
      differ(in, want, i);
      return i + 1;
    }
    beat_.tick(seen_.cycles);
  }
  keep_tail(in, want, n);
  return n;
}

// Keeps the last kBefore records of the batches so far, because the memory of a batch goes back to
// the client while a difference in the next batch may need its records.
void Replay::keep_tail(const uint64_t* in, const uint64_t* want, size_t n) {
  const size_t k = std::min(n, kBefore);
  old_in_.insert(old_in_.end(), in + (n - k) * kInWords, in + n * kInWords);
  old_want_.insert(old_want_.end(), want + (n - k) * kOutWords, want + n * kOutWords);
  const size_t have = old_in_.size() / kInWords, drop = have - std::min(have, kBefore);
  old_in_.erase(old_in_.begin(), old_in_.begin() + static_cast<long>(drop * kInWords));
  old_want_.erase(old_want_.begin(), old_want_.begin() + static_cast<long>(drop * kOutWords));
}

void Replay::push(const uint64_t* in, const uint64_t* want, const uint64_t* got) {
  near_in_.insert(near_in_.end(), in, in + kInWords);
  near_want_.insert(near_want_.end(), want, want + kOutWords);
  near_got_.insert(near_got_.end(), got, got + kOutWords);
}

void Replay::differ(const uint64_t* in, const uint64_t* want, size_t at) {
  mismatch_ = true;
  mismatch_cycle_ = seen_.cycles;
  near_in_.clear();
  near_want_.clear();
  near_got_.clear();
  const size_t here = std::min(at, kBefore);  // cycles before the difference in this batch
  const size_t have = old_in_.size() / kInWords;
  const size_t older = std::min(kBefore - here, have);  // and in the batches before
  from_ = seen_.cycles - here - older;
  for (size_t i = 0; i < older; i++) {
    const size_t r = have - older + i;
    push(&old_in_[r * kInWords], &old_want_[r * kOutWords], seen_.at(from_ + i));
  }
  for (size_t i = at - here; i <= at; i++)
    push(in + i * kInWords, want + i * kOutWords, seen_.at(seen_.cycles - (at - i)));
  state_ = State::kCapture;
  after_left_ = kAfter;
}

size_t Replay::capture(const uint64_t* in, const uint64_t* want, size_t n) {
  const size_t k = std::min(n, after_left_);
  std::vector<uint64_t> got(kOutWords);
  for (size_t i = 0; i < k; i++) {
    try {
      dut_.cycle(in + i * kInWords, got.data());
    } catch (const Error&) {
      after_left_ = i;  // the difference is the finding; later messages of the RTL are not
      report();
      return i;
    }
    push(in + i * kInWords, want + i * kOutWords, got.data());
  }
  after_left_ -= k;
  if (after_left_ == 0) report();
  return k;
}

void Replay::report() {
  state_ = State::kDrain;
  const uint64_t count = near_in_.size() / kInWords;
  std::vector<uint64_t> bulk = near_in_;
  bulk.insert(bulk.end(), near_want_.begin(), near_want_.end());
  bulk.insert(bulk.end(), near_got_.begin(), near_got_.end());
  channel_.send(Type::kMismatch,
                msgpack::Writer(3).put("cycle", mismatch_cycle_).put("from", from_).put("count", count), bulk.data(),
                bulk.size());
}

void Replay::finish() {
  if (state_ == State::kCapture) report();
  channel_.send(Type::kFinished, msgpack::Writer(4)
                                     .put("cycles", seen_.cycles)
                                     .put("digest", seen_.digest)
                                     .put_bool("mismatch", mismatch_)
                                     .put("busy_ns", static_cast<uint64_t>(busy_ns_)));
  clear();
}

}  // namespace gw
