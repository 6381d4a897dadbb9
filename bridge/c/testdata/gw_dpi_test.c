/* What the Go tests run of gw_dpi.c against a server of the block wide: it checks what a scoreboard may hand over
 * and prints what the calls say. */
#include <stdio.h>
#include <string.h>
#include <svdpi.h>

void *gw_dpi_connect(const char *address, const char *block, const char *schema_hash, const char *params);
int gw_dpi_push(void *h, const char *stream, const svLogicVecVal *payload);
int gw_dpi_expect(void *h, const char *stream, const svLogicVecVal *payload);
int gw_dpi_finish(void *h);
int gw_dpi_reset(void *h);
void gw_dpi_close(void *h);

enum { WORDS = 128, EV = 132 };

static svLogicVecVal v[WORDS];

static void set(unsigned bit, unsigned a, unsigned b) {
  v[bit / 32].aval = (v[bit / 32].aval & ~(1u << bit % 32)) | a << bit % 32;
  v[bit / 32].bval = (v[bit / 32].bval & ~(1u << bit % 32)) | b << bit % 32;
}

static void result(const char *what, int r) {
  printf("%s %d\n", what, r);
  fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  result("push to nobody", gw_dpi_push(NULL, "ev", v));
  result("expect of nobody", gw_dpi_expect(NULL, "rsp", v));
  result("finish of nobody", gw_dpi_finish(NULL));
  result("reset of nobody", gw_dpi_reset(NULL));
  gw_dpi_close(NULL);
  void *const g = gw_dpi_connect(argv[1], "wide", "0123456789abcdef", "");
  if (g == NULL) return 1;
  result("stream", gw_dpi_push(g, "evt", v));
  set(EV, 1, 0);
  result("bit beyond", gw_dpi_push(g, "ev", v));
  set(EV, 0, 1);
  result("Z beyond", gw_dpi_push(g, "ev", v));
  set(EV, 0, 0);
  set(32 * WORDS - 1, 1, 0);
  result("last bit", gw_dpi_push(g, "ev", v));
  set(32 * WORDS - 1, 0, 0);
  set(EV - 1, 1, 1);
  result("X in an event", gw_dpi_push(g, "ev", v));
  set(EV - 1, 1, 0);
  for (int i = 0; i < 4; i++) result("push", gw_dpi_push(g, "ev", v));
  /* s = -5, then the wide field. */
  memset(v, 0, sizeof v);
  v[0].aval = 0x89abcdef, v[1].aval = 0x01234567, v[2].aval = 1, v[3].aval = 0xffbf;
  result("expect", gw_dpi_expect(g, "rsp", v));
  set(99, 1, 1);
  result("X", gw_dpi_expect(g, "rsp", v));
  set(99, 1, 0);
  set(98, 0, 0);
  result("bit 98", gw_dpi_expect(g, "rsp", v));
  result("finish", gw_dpi_finish(g));
  result("reset", gw_dpi_reset(g));
  result("finish", gw_dpi_finish(g));
  gw_dpi_close(g);
  return 0;
}
