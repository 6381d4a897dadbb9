/* Carries out calls of the library that stand on the command line and prints what each says, for the Go tests:
 *
 *   gw_script ADDRESS push:ev:1F2[:TIMES] expect:rsp:1F2[:X] pull:rsp set:rsp:FIELD:1F2 reset finish
 *
 * Payloads are hexadecimal, most significant digit first, X a mask of unknown bits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gw_client.h"

/* payload returns the words of a stream's payload, exactly as many as it has. */
static uint32_t *payload(unsigned width, const char *hex) {
  uint32_t *const bits = (uint32_t *)calloc(width / 32 + 1, sizeof *bits);
  const size_t n = hex == NULL ? 0 : strlen(hex);
  for (size_t i = 0; i < n; i++) {
    const char digit[2] = {hex[n - 1 - i], 0};
    if (4 * i < width) bits[i / 8] |= (uint32_t)strtoul(digit, NULL, 16) << 4 * (i % 8);
  }
  return bits;
}

static int run(gw_client *g, char *words) {
  const char *const call = strtok(words, ":"), *const stream = strtok(NULL, ":");
  const char *const hex = strtok(NULL, ":"), *const more = strtok(NULL, ":");
  if (strcmp(call, "reset") == 0) return gw_reset(g);
  if (strcmp(call, "finish") == 0) return gw_finish(g);
  const unsigned width = gw_width(g, stream);
  uint32_t *const bits = payload(width, strcmp(call, "set") == 0 ? NULL : hex);
  int result = 0;
  uint64_t value;
  if (strcmp(call, "push") == 0) {
    for (int n = more == NULL ? 1 : atoi(more); n > 0 && result == 0; n--) result = gw_push(g, stream, bits, width);
  } else if (strcmp(call, "expect") == 0) {
    uint32_t *const unknown = payload(width, more);
    result = gw_expect(g, stream, bits, more == NULL ? NULL : unknown, width);
    free(unknown);
  } else if (strcmp(call, "set") == 0) {
    result = gw_set(g, stream, hex, bits, strtoull(more, NULL, 16));
    if (gw_get(g, stream, hex, bits, &value) == 0) printf("%llx ", (unsigned long long)value);
  } else if ((result = gw_pull(g, stream, bits, width)) == 1) {
    for (unsigned i = (width + 31) / 32; i-- > 0;) printf("%08x ", (unsigned)bits[i]);
  }
  free(bits);
  return result;
}

int main(int argc, char **argv) {
  char why[GW_ERROR_SIZE];
  if (argc < 2) return 2;
  gw_client *const g = gw_connect(argv[1], NULL, NULL, NULL, why, sizeof why);
  if (g == NULL) {
    printf("connect: %s\n", why);
    return 0;
  }
  for (int i = 2; i < argc; i++) {
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(argv[i], ":"), argv[i]);
    const int result = run(g, argv[i]);
    const int says = result < 0 || (result == GW_MISMATCH && strcmp(name, "pull") != 0);
    printf("%s %d%s%s\n", name, result, says ? " " : "", says ? gw_text(g) : "");
  }
  gw_close(g);
  return 0;
}
