/* The smallest use of gw_client.h: one event of a block, and fields of the responses to it.
 *
 *   build/gold_client unix:/tmp/gold.sock ev kind=0 ctx=3 -- rsp ctx cwnd
 *
 * of ccc: kind 0 opens a context. Numbers as C writes them; fields not given are 0. Exit code 2, with a line on stderr, when something is wrong. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gw_client.h"

enum { WORDS = 512 }; /* of the widest payload */

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 2;
}

int main(int argc, char **argv) {
  char why[GW_ERROR_SIZE];
  uint32_t bits[WORDS] = {0};
  int i = 3, got;
  if (argc < 6) return fail("usage", "client ADDRESS STREAM FIELD=VALUE... -- STREAM FIELD...");
  gw_client *const g = gw_connect(argv[1], NULL, NULL, NULL, why, sizeof why);
  if (g == NULL) return fail(argv[1], why);
  if (gw_width(g, argv[2]) > 32 * WORDS) return fail(argv[2], "the stream is wider than this program takes");
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    char *const value = strchr(argv[i], '='), *end = value;
    if (value == NULL || value[1] == 0) return fail(argv[i], "is not FIELD=VALUE");
    *value = 0;
    errno = 0;
    const unsigned long long v = strtoull(value + 1, &end, 0);
    if (*end != 0 || errno != 0) return fail(value + 1, "is no number");
    if (gw_set(g, argv[2], argv[i], bits, v) != 0) return fail(argv[2], gw_text(g));
  }
  if (i + 2 > argc) return fail("usage", "after the event: -- STREAM FIELD...");
  const char *const out = argv[i + 1];
  if (gw_push(g, argv[2], bits, gw_width(g, argv[2])) != 0) return fail(argv[2], gw_text(g));
  if (gw_width(g, out) > 32 * WORDS) return fail(out, "the stream is wider than this program takes");
  while ((got = gw_pull(g, out, bits, gw_width(g, out))) == 1)
    for (int k = i + 2; k < argc; k++) {
      uint64_t v;
      if (gw_get(g, out, argv[k], bits, &v) != 0) return fail(out, gw_text(g));
      printf("%s %" PRIu64 "\n", argv[k], v);
    }
  if (got < 0) return fail(out, gw_text(g));
  gw_close(g);
  return 0;
}
