#include "shm.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

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

// The share of the spin time, one in so many, in which the processor is kept: a client that runs on another one asks
// again in microseconds, and a process that got this one would keep it for milliseconds.
constexpr int64_t kAloneShare = 20;
constexpr uint64_t kStateOff = 128;  // byte offset of the mailbox state line

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
                   size_t out_words, int64_t spin_ns) {
  if (capacity == 0 || capacity > (1u << 20)) throw Error("protocol", "step mailbox of an impossible size");
  state_ = shm.words(kStateOff, 1);
  req_ = shm.words(req_off, 3 + capacity * in_words);
  rsp_ = shm.words(rsp_off, 2 + capacity * out_words);
  capacity_ = capacity;
  spin_ns_ = spin_ns;
  seq_ = load(rsp_);
}

bool Mailbox::pending() const { return load(req_) != seq_; }

bool Mailbox::wait() {
  if (pending()) return true;
  const int64_t start = now_ns();
  for (int64_t spent = 0; spent < spin_ns_; spent = now_ns() - start) {
    for (int i = 0; i < 32; i++) {
      if (pending()) return true;
      pause();
    }
    if (spent > spin_ns_ / kAloneShare) ::sched_yield();  // the client may need this processor to run
  }
  return false;
}

bool Mailbox::sleep() {
  // The device announces first and looks second; the client does the opposite, so one of the two
  // sees the other.
  __atomic_store_n(&state_[0], uint64_t{1}, __ATOMIC_SEQ_CST);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!pending()) return true;
  wake();
  return false;
}

void Mailbox::wake() {
  if (state_ != nullptr) __atomic_store_n(&state_[0], uint64_t{0}, __ATOMIC_RELAXED);
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
  __atomic_store_n(rsp_, seq_, __ATOMIC_RELEASE);
}

}  // namespace gw
