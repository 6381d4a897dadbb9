// The Go runtime prints stacks and gives up when memory is refused: before main is reached when the limit is far too
// low, and in the middle of a run when the run grows beyond it. Neither can be caught in Go. So a constructor, which
// runs before the runtime, refuses limits that are far too low; and where memory is limited at all, it puts a filter
// between the program and its stderr, which makes one line of a death for want of memory. Without a C compiler the
// command is built without both.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  kMemory = 2097152,  // KiB of address space: the runtime reserves more than it uses
  kFiles = 64,        // the pipes, sockets and programs of a run take about 20
  kKept = 1 << 16,    // bytes of a death's report
};

static void need(const char* what, rlim_t have, rlim_t least, const char* option) {
  if (have == RLIM_INFINITY || have >= least) return;
  fprintf(stderr, "goldwire: a limit is too low: too %s, the limit is %llu; raise it: ulimit %s %llu\n", what,
          (unsigned long long)have, option, (unsigned long long)least);
  _exit(2);
}

// The first words of what the runtime prints when it dies, and the words by which a want of memory is told from other
// deaths, which are left as they are.
static const char* const kDeath[] = {"fatal error: ", "runtime: ", "runtime/cgo: ", "SIGABRT: "};
static const char* const kWant[] = {"out of memory", "annot allocate", "pthread_create failed", "newosproc",
                                    "failed to create new OS thread", "failed to reserve", "errno=12"};

static void put(const char* s, size_t n) {
  while (n > 0) {
    ssize_t k = write(STDERR_FILENO, s, n);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return;
    s += k, n -= (size_t)k;
  }
}

// dies returns 1 when a line begins a death's report, 0 when it does not, -1 when it may yet.
static int dies(const char* line, size_t n) {
  for (size_t i = 0; i < sizeof kDeath / sizeof *kDeath; i++) {
    size_t len = strlen(kDeath[i]);
    if (strncmp(line, kDeath[i], n < len ? n : len) == 0) return n < len ? -1 : 1;
  }
  return 0;
}

// wants reports whether a death's report is one of a want of memory.
static int wants(const char* report) {
  for (size_t i = 0; i < sizeof kWant / sizeof *kWant; i++)
    if (strstr(report, kWant[i])) return 1;
  return 0;
}

// filter copies what the program prints to stderr until it dies; option and limit are those of ulimit.
static void filter(int from, const char* option, unsigned long long limit) {
  static char in[4096], kept[kKept + 1];
  size_t n = 0;  // bytes kept: of the beginning of a line that may be a death's, or of its report
  int held = 0, fresh = 1;
  for (;;) {
    ssize_t k = read(from, in, sizeof in);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) break;
    for (ssize_t i = 0; i < k; i++) {
      if (held) {
        if (n < kKept) {
          kept[n++] = in[i];
          continue;
        }
        kept[n] = 0;
        if (wants(kept)) continue;
        put(kept, n);  // another death, with more stacks than are kept
        held = fresh = 0, n = 0;
      }
      if (!fresh) {
        put(in + i, 1);
        fresh = in[i] == '\n';
        continue;
      }
      kept[n++] = in[i];
      switch (dies(kept, n)) {
        case 1: held = 1; break;
        case 0:
          put(kept, n);
          fresh = in[i] == '\n';
          n = 0;
      }
    }
  }
  kept[n] = 0;
  if (held && wants(kept))
    n = (size_t)snprintf(kept, sizeof kept,
                         "goldwire: out of memory: the limit of %llu KiB does not suffice for this command; raise it: "
                         "ulimit %s %llu, or make the command smaller\n",
                         limit, option, 2 * limit);
  put(kept, n);
  _exit(0);
}

static pid_t filtering;  // the filter's process; 0 for none

// goldwire_stderr_done waits, at the end of a program that ends by itself, until the filter has written what it got.
// A program that inherited stderr may outlive this one, and the filter with it: it is waited for a second at most.
void goldwire_stderr_done(void) {
  if (filtering <= 0) return;
  close(STDERR_FILENO);
  for (int ms = 0; ms < 1000 && waitpid(filtering, NULL, WNOHANG) == 0; ms++) usleep(1000);
  filtering = 0;
}

// watch puts a filter behind stderr. The filter is the child, so that the program keeps its number and its signals.
static void watch(const char* option, rlim_t limit) {
  int p[2];
  if (pipe(p) != 0) return;
  pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN), signal(SIGHUP, SIG_IGN), signal(SIGPIPE, SIG_IGN);
    for (int fd = 0; fd < 1024; fd++)
      if (fd != STDERR_FILENO && fd != p[0]) close(fd);
    filter(p[0], option, (unsigned long long)limit / 1024);
  }
  if (child > 0 && dup2(p[1], STDERR_FILENO) >= 0) filtering = child;
  close(p[0]);
  close(p[1]);
}

__attribute__((constructor)) static void limits(void) {
  struct rlimit r, data;
  int space = getrlimit(RLIMIT_AS, &r) == 0 && r.rlim_cur != RLIM_INFINITY;
  if (space) need("little memory", r.rlim_cur / 1024, kMemory, "-v");
  // The Go runtime raises the soft limit of files to the hard one.
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) need("few file descriptors", files.rlim_max, kFiles, "-n");
  if (space)
    watch("-v", r.rlim_cur);
  else if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_cur != RLIM_INFINITY)
    watch("-d", data.rlim_cur);
}
