// The Go runtime prints stacks and gives up, before main is reached, when its own memory or its first files are
// refused. A constructor is run before it. Without a C compiler the command is built without.
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
  kMemory = 2097152,  // KiB of address space: the runtime reserves more than it uses
  kFiles = 64,        // the pipes, sockets and programs of a run take about 20
};

static void need(const char* what, rlim_t have, rlim_t least, const char* option) {
  if (have == RLIM_INFINITY || have >= least) return;
  fprintf(stderr, "goldwire: a limit is too low: too %s, the limit is %llu; raise it: ulimit %s %llu\n", what,
          (unsigned long long)have, option, (unsigned long long)least);
  _exit(2);
}

__attribute__((constructor)) static void limits(void) {
  struct rlimit r;
  if (getrlimit(RLIMIT_AS, &r) == 0)
    need("little memory", r.rlim_cur == RLIM_INFINITY ? r.rlim_cur : r.rlim_cur / 1024, kMemory, "-v");
  // The Go runtime raises the soft limit of files to the hard one.
  if (getrlimit(RLIMIT_NOFILE, &r) == 0) need("few file descriptors", r.rlim_max, kFiles, "-n");
}
