#include "shm.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "clock.h"
#include "error.h"
#include "fd.h"

namespace gw {
namespace {

uint64_t load(const uint64_t* p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

constexpr uint64_t kDeviceOff = 128, kClientOff = 192;  // byte offsets of how each side waits
enum : uint64_t { kAwake, kOnSocket, kOnMailbox };

constexpr long kLinger = 1'000'000;  // ns on the mailbox before the DUT waits on its socket, which other requests need
constexpr int64_t kLongestSpin = 1'000'000'000;  // ns, whatever the client asks for: it may have died
// The share of the spin time, one in so many, in which the processor is kept: a client that runs on another one asks
// again in microseconds, and a process that got this one would keep it for milliseconds.
constexpr int64_t kAloneShare = 20;

// Waits until the client wakes the word, or for ns, unless the low half of the word is no longer what was seen.
void sleep_on(const uint64_t* word, uint64_t seen, long ns) {
  const timespec limit{0, ns};
  ::syscall(SYS_futex, word, FUTEX_WAIT, static_cast<uint32_t>(seen), &limit, nullptr, 0);
}

void wake_on(const uint64_t* word) { ::syscall(SYS_futex, word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

}  // namespace

Shm::~Shm() {
  if (base_ != nullptr) ::munmap(base_, length_);
}

void Shm::map(const std::string& file, uint64_t length) {
  if (base_ != nullptr) throw Error("protocol", "shared memory is mapped already");
  Fd fd(::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
  if (fd.get() < 0) throw Error("address", "open " + file + ": " + std::strerror(errno));
  struct stat st {};
  if (::fstat(fd.get(), &st) != 0 || static_cast<uint64_t>(st.st_size) != length)
    throw Error("address", file + " has a size other than the client stated");
  void* p = ::mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd.get(), 0);
  if (p == MAP_FAILED) throw Error("address", "map " + file + ": " + std::strerror(errno));
  base_ = p;
  length_ = length;
}

uint64_t* Shm::words(uint64_t offset, uint64_t count) const {
  if (base_ == nullptr) throw Error("protocol", "no shared memory is mapped");
  if (offset % 8 != 0 || offset > length_ || count > (length_ - offset) / 8)
    throw Error("protocol", "records lie outside the shared memory");
  return reinterpret_cast<uint64_t*>(static_cast<char*>(base_) + offset);
}

void Mailbox::open(const Shm& shm, uint64_t req_off, uint64_t rsp_off, uint64_t capacity, size_t in_words,
                   size_t out_words) {
  if (capacity == 0 || capacity > (1u << 20)) throw Error("protocol", "step mailbox of an impossible size");
  device_ = shm.words(kDeviceOff, 1);
  client_ = shm.words(kClientOff, 2);
  req_ = shm.words(req_off, 3 + capacity * in_words);
  rsp_ = shm.words(rsp_off, 2 + capacity * out_words);
  capacity_ = capacity;
  seq_ = load(rsp_);
}

bool Mailbox::pending() const { return load(req_) != seq_; }

bool Mailbox::spin() const {
  if (pending()) return true;
  const auto limit = static_cast<int64_t>(std::min<uint64_t>(load(client_ + 1), kLongestSpin));
  if (limit == 0) return false;
  const int64_t start = now_ns();
  for (int64_t spent = 0; spent < limit; spent = now_ns() - start) {
    for (int i = 0; i < 32; i++) {
      if (pending()) return true;
      pause();
    }
    if (spent > limit / kAloneShare) ::sched_yield();  // the client may need this processor to run
  }
  return false;
}

// Tells the client how the DUT is about to wait; returns false when a request came before that.
bool Mailbox::announce(uint64_t how) {
  // The device announces first and looks second; the client does the opposite, so one of the two
  // sees the other.
  __atomic_store_n(device_, how, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!pending()) return true;
  wake();
  return false;
}

bool Mailbox::wait() {
  if (spin() || !announce(kOnMailbox)) return true;
  sleep_on(req_, seq_, kLinger);
  wake();
  return pending();
}

bool Mailbox::sleep() { return announce(kOnSocket); }

void Mailbox::wake() {
  if (device_ != nullptr) __atomic_store_n(device_, kAwake, __ATOMIC_RELAXED);
}

Mailbox::Request Mailbox::take() const {
  const uint64_t size = load(&req_[1]);
  Request r{size & 0xffffffff, size >> 32, load(&req_[2]), req_ + 3, rsp_ + 2};
  if (r.cycles == 0 || r.cycles > capacity_ || r.max > capacity_ || (r.until != 0) != (r.max != 0))
    throw Error("protocol", "step of " + std::to_string(r.cycles) + " cycles does not fit the mailbox");
  return r;
}

void Mailbox::answer(uint64_t cycles, bool failed) {
  seq_ = load(req_);
  __atomic_store_n(&rsp_[1], cycles | (failed ? uint64_t{1} << 32 : 0), __ATOMIC_RELAXED);
  // The client announces that it sleeps first and looks for the answer second, as the DUT does above.
  __atomic_store_n(rsp_, seq_, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (load(client_) == kOnMailbox) wake_on(rsp_);
}

}  // namespace gw
