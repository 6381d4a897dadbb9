/* What the Go tests run under the sanitizers: `gw_test ADDRESS check` against a server of the adder block (sum = a +
 * b + 1, tag echoed), `gw_test ADDRESS any` against whatever answers: it prints what the library says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gw_client.h"
#include "../gw_wire.h"

#define CHECK(x)                                                              \
  do {                                                                        \
    if (!(x)) {                                                               \
      printf("line %d: %s is not so: %s\n", __LINE__, #x, g ? gw_text(g) : why); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)

enum { EV = 130, RSP = 97 };

static void event(gw_client *g, uint32_t *bits, uint64_t a, uint64_t b, uint64_t tag) {
  memset(bits, 0, 5 * sizeof *bits);
  gw_set(g, "ev", "a", bits, a);
  gw_set(g, "ev", "b", bits, b);
  gw_set(g, "ev", "tag", bits, tag);
}

static void response(gw_client *g, uint32_t *bits, uint64_t sum, uint64_t tag) {
  memset(bits, 0, 4 * sizeof *bits);
  gw_set(g, "rsp", "sum", bits, sum);
  gw_set(g, "rsp", "tag", bits, tag);
}

static int check(const char *address) {
  char why[GW_ERROR_SIZE];
  uint32_t ev[5], rsp[4], x[4] = {0};
  uint64_t v;
  gw_client *g = NULL;
  CHECK(gw_crc32c(0, "123456789", 9) == 0xe3069283u);
  CHECK((g = gw_connect(address, "ccc", NULL, NULL, why, sizeof why)) == NULL);
  CHECK(strstr(why, "block differs: ours ccc, the server's adder") != NULL);
  CHECK((g = gw_connect(address, "adder", "0123", "", why, sizeof why)) == NULL);
  CHECK(strstr(why, "schema_hash differs: ours 0123") != NULL);
  CHECK((g = gw_connect(address, "adder", NULL, "Offset=1", why, sizeof why)) != NULL);
  CHECK(gw_width(g, "ev") == EV && gw_width(g, "rsp") == RSP && gw_width(g, "x") == 0);
  /* The first field of the schema is the most significant: op, a, b, tag. */
  event(g, ev, 0xffffffff, 0, 1);
  CHECK(ev[0] == 1 && ev[1] == 0 && ev[2] == 0 && ev[3] == 0xffffffff && ev[4] == 0);
  for (uint32_t i = 0; i < 10000; i++) {
    event(g, ev, i, 0xffffffff, (uint64_t)i << 33);
    CHECK(gw_push(g, "ev", ev, EV) == 0);
  }
  for (uint32_t i = 0; i < 10000; i++) {
    response(g, rsp, (uint64_t)i + 0xffffffff + 1, (uint64_t)i << 33);
    CHECK(gw_expect(g, "rsp", rsp, x, RSP) == GW_MATCH);
  }
  CHECK(gw_finish(g) == GW_MATCH);
  event(g, ev, 5, 6, 7);
  CHECK(gw_push(g, "ev", ev, EV) == 0);
  response(g, rsp, 13, 8);
  CHECK(gw_expect(g, "rsp", rsp, NULL, RSP) == GW_MISMATCH);
  CHECK(strcmp(gw_text(g), "rsp 10000: sum want 12 got 13, tag want 7 got 8") == 0);
  CHECK(gw_expect(g, "rsp", rsp, NULL, RSP) == GW_MISMATCH);
  CHECK(strcmp(gw_text(g), "rsp 10001: the model gives no response here") == 0);
  CHECK(gw_push(g, "ev", ev, EV) == 0);
  CHECK(gw_finish(g) == GW_MISMATCH);
  CHECK(strcmp(gw_text(g), "rsp: 1 responses of the model were never expected") == 0);
  CHECK(gw_pull(g, "rsp", rsp, RSP) == 1 && gw_get(g, "rsp", "sum", rsp, &v) == 0 && v == 12);
  CHECK(gw_pull(g, "rsp", rsp, RSP) == 0);
  CHECK(gw_push(g, "ev", ev, EV) == 0);
  x[2] = 1; /* bit 64: of the sum */
  response(g, rsp, 12, 7);
  CHECK(gw_expect(g, "rsp", rsp, x, RSP) == GW_MISMATCH);
  CHECK(strstr(gw_text(g), "sum want 12 got X") != NULL);
  CHECK(gw_push(g, "rsp", ev, RSP) == GW_BROKEN && strstr(gw_text(g), "goes the other way") != NULL);
  CHECK(gw_push(g, "evt", ev, EV) == GW_BROKEN && strstr(gw_text(g), "no such stream") != NULL);
  CHECK(gw_push(g, "ev", ev, 77) == GW_BROKEN && strstr(gw_text(g), "77 bits wide, the stream's is 130") != NULL);
  CHECK(gw_set(g, "ev", "nothing", ev, 1) == GW_BROKEN && strstr(gw_text(g), "ev.nothing") != NULL);
  /* What a field cannot hold is refused and changes nothing. */
  event(g, ev, 5, 6, 7);
  CHECK(gw_set(g, "ev", "a", ev, 0x100000000) == GW_BROKEN && strcmp(gw_text(g), "set ev.a: 0x100000000 does not fit its 32 bits") == 0);
  CHECK(gw_set(g, "ev", "a", ev, UINT64_MAX) == GW_BROKEN);
  CHECK(gw_get(g, "ev", "a", ev, &v) == 0 && v == 5);
  CHECK(gw_set(g, "ev", "a", ev, UINT32_MAX) == 0 && gw_set(g, "ev", "tag", ev, UINT64_MAX) == 0 && gw_set(g, "ev", "a", ev, 5) == 0);
  CHECK(gw_get(g, "ev", "tag", ev, &v) == 0 && v == UINT64_MAX && gw_set(g, "ev", "tag", ev, 7) == 0);
  /* A reset drops what waits and makes a new model. */
  CHECK(gw_push(g, "ev", ev, EV) == 0);
  CHECK(gw_reset(g) == 0 && gw_finish(g) == GW_MATCH);
  CHECK(gw_push(g, "ev", ev, EV) == 0);
  gw_close(g);
  gw_close(NULL);
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  if (strcmp(argv[2], "check") == 0) return check(argv[1]);
  char why[GW_ERROR_SIZE];
  uint32_t bits[5] = {0};
  gw_client *const g = gw_connect(argv[1], NULL, NULL, NULL, why, sizeof why);
  if (g == NULL) {
    printf("connect: %s\n", why);
    return 0;
  }
  if (gw_push(g, "ev", bits, EV) != 0)
    printf("push: %s\n", gw_text(g));
  else
    printf("expect: %d %s\n", gw_expect(g, "rsp", bits, NULL, RSP), gw_text(g));
  gw_close(g);
  return 0;
}
