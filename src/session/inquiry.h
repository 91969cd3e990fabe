/* SPDX-License-Identifier: Apache-2.0 */
/* inquiry.h - what every question to sherd has, be it about Java, C or data of runs: diagnostics, the time of its phases, and
 * somebody who wants to know how far the answer is. Sessions borrow it; whoever asks owns it. */
#ifndef SESSION_INQUIRY_H
#define SESSION_INQUIRY_H

#include "base/diag.h"
#include "report/write/stats.h"

enum phase { PHASE_OPEN, PHASE_HIERARCHY, PHASE_READ, PHASE_MODELS, PHASE_SOLVE, PHASE_MODREF, PHASE_WRITE, PHASES };
const char *phase_name(enum phase p);          /* "open", ... */

/* The phases that inquiries of a sort have, as bits: what statistics list, in this order. */
enum {
	PHASES_JAVA = 1 << PHASE_OPEN | 1 << PHASE_HIERARCHY | 1 << PHASE_SOLVE | 1 << PHASE_WRITE,
	PHASES_C = 1 << PHASE_READ | 1 << PHASE_MODELS | 1 << PHASE_SOLVE | 1 << PHASE_MODREF | 1 << PHASE_WRITE,
};

/* How far it is. Each may be NULL: nothing is new about it. The texts are gone after the call. */
struct inquiry_news {
	const char *now;              /* what is under way, in a few words: "andersen: 12,345 methods"; "": nothing any more */
	const char *how_far;          /* if it were stopped now: "after 12,345 methods (andersen)" */
	const char *to_try;           /* and what would take less: "--algorithm 0cfa"; "": nothing */
};

struct inquiry {
	struct diag diag;
	unsigned phases;              /* PHASES_* */
	double seconds[PHASES];       /* CPU time */
	double since;                 /* start of the phase under way */
	void (*news)(void *ctx, const struct inquiry_news *n);     /* often; NULL: nobody listens */
	void *news_ctx;
};

void inquiry_init(struct inquiry *q, unsigned phases);
void inquiry_release(struct inquiry *q);

void inquiry_phase(struct inquiry *q, enum phase done);      /* the phase ends now; the next one starts */
double inquiry_total(const struct inquiry *q);

void inquiry_tell(struct inquiry *q, const struct inquiry_news *n);
void inquiry_tell_now(struct inquiry *q, const char *now);   /* inquiry_news.now alone */

/* The last figures: seconds per phase where `phases` is set, their total, and the peak of memory. */
void inquiry_stats(const struct inquiry *q, bool phases, struct stats *out);

#endif
