/* SPDX-License-Identifier: Apache-2.0 */
/* badge.c - the percentages as a small picture for a project's front page. */
#include "report/coverage/coverage_p.h"

#define HEIGHT 20
#define MARGIN 60             /* beside texts; all widths are in tenths of a pixel */

/* Of printable ASCII in DejaVu Sans at 11 pixels, which is as wide as Verdana; textLength makes other fonts fit. */
static const uint8_t widths[] = {
	35, 44, 51, 92, 70, 105, 86, 30, 43, 43, 55, 92, 35, 40, 35, 37, 70, 70, 70, 70, 70, 70, 70, 70, 70, 70, 37, 37, 92, 92,
	92, 58, 110, 75, 75, 77, 85, 70, 63, 85, 83, 32, 32, 72, 61, 95, 82, 87, 66, 87, 76, 70, 67, 81, 75, 109, 75, 67, 75, 43,
	37, 43, 92, 55, 55, 67, 70, 60, 70, 68, 39, 70, 70, 31, 31, 64, 31, 107, 70, 67, 70, 70, 45, 57, 43, 70, 65, 90, 65, 65,
	58, 70, 37, 70, 92,
};

struct part {
	struct str text;              /* printable ASCII, nothing to escape */
	uint32_t x, width;            /* of the text, in tenths of a pixel */
};

static uint32_t text_width(struct str t)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < t.len; i++)
		n += widths[t.p[i] - ' '];
	return n;
}

/* Colours on which white text is readable. */
static const char *color_of(uint32_t permille)
{
	return permille >= 900 ? "#2c7a36" : permille >= 750 ? "#5f7a12" : permille >= 500 ? "#96660c" : "#b3412a";
}

/* Of all criteria. */
static uint32_t lowest(const struct coverage *c)
{
	uint32_t least = 1000;

	for (uint32_t k = 0; k < CRITERIA; k++) {
		uint32_t permille = cov_is_column(c, k) ? coverage_permille(c->sums.of[k]) : 1000;
		least = permille < least ? permille : least;
	}
	return least;
}

static void add_criterion(struct strbuf *out, const char *name, struct cov_counts n, bool is_long)
{
	uint32_t permille = coverage_permille(n);

	if (is_long)
		strbuf_addf(out, "%s%s %u.%u %%", out->len ? ", " : "", name, (unsigned)permille / 10, (unsigned)permille % 10);
	else
		strbuf_addf(out, "%s%s %u%%", out->len ? " / " : "", name, (unsigned)permille / 10);
}

static void add_criteria(struct strbuf *out, const struct coverage *c, bool is_long)
{
	for (uint32_t k = 0; k < CRITERIA; k++)
		if (cov_is_column(c, k))
			add_criterion(out, is_long ? cov_criteria[k].words : cov_criteria[k].short_name, c->sums.of[k], is_long);
	if (!out->len)
		strbuf_adds(out, "nothing required");
}

/* The text, with a shadow below it. */
static void write_text(struct sink *out, const struct part *p)
{
	for (int is_shadow = 1; is_shadow >= 0; is_shadow--)
		sink_printf(out, "<text x=\"%u\" y=\"%u\" transform=\"scale(.1)\" textLength=\"%u\"%s>%.*s</text>\n",
			    (unsigned)p->x, is_shadow ? 150u : 140u, (unsigned)p->width,
			    is_shadow ? " aria-hidden=\"true\" fill=\"#000\" fill-opacity=\".3\"" : "", (int)p->text.len,
			    p->text.p);
}

static void write_badge(struct sink *out, struct str title, struct part *label, struct part *value, const char *color)
{
	uint32_t left = (label->width + 2 * MARGIN + 9) / 10, right = (value->width + 2 * MARGIN + 9) / 10;

	label->x = left * 5;
	value->x = left * 10 + right * 5;
	sink_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" role=\"img\" "
			 "aria-label=\"%.*s\">\n<title>%.*s</title>\n",
		    (unsigned)(left + right), HEIGHT, (int)title.len, title.p, (int)title.len, title.p);
	sink_puts(out, "<linearGradient id=\"shade\" x2=\"0\" y2=\"100%\"><stop offset=\"0\" stop-color=\"#fff\" "
		       "stop-opacity=\".12\"/><stop offset=\"1\" stop-opacity=\".12\"/></linearGradient>\n");
	sink_printf(out, "<clipPath id=\"shape\"><rect width=\"%u\" height=\"%u\" rx=\"3\"/></clipPath>\n",
		    (unsigned)(left + right), HEIGHT);
	sink_printf(out, "<g clip-path=\"url(#shape)\"><rect width=\"%u\" height=\"%u\" fill=\"#4a4a4a\"/>"
			 "<rect x=\"%u\" width=\"%u\" height=\"%u\" fill=\"%s\"/><rect width=\"%u\" height=\"%u\" "
			 "fill=\"url(#shade)\"/></g>\n",
		    (unsigned)left, HEIGHT, (unsigned)left, (unsigned)right, HEIGHT, color, (unsigned)(left + right), HEIGHT);
	sink_puts(out, "<g fill=\"#fff\" text-anchor=\"middle\" font-family=\"Verdana,'DejaVu Sans',Geneva,sans-serif\" "
		       "font-size=\"110\" text-rendering=\"geometricPrecision\">\n");
	write_text(out, label);
	write_text(out, value);
	sink_puts(out, "</g>\n</svg>\n");
}

/* What the first criterion counts: "receivers". */
static void add_label(struct strbuf *out, const struct coverage *c)
{
	uint32_t k = 0;

	while (k < CRITERIA && !cov_is_column(c, k))
		k++;
	strbuf_addf(out, "%ss", cov_criteria[k < CRITERIA ? k : 0].noun);
}

bool report_coverage_badge(struct sink *out, const struct coverage *c, const struct coverage_head *head)
{
	struct strbuf title = { 0 }, name = { 0 }, value = { 0 };

	(void)head;
	add_criteria(&title, c, true);
	add_label(&name, c);
	add_criteria(&value, c, false);
	struct part label = { .text = strbuf_str(&name) }, shown = { .text = strbuf_str(&value) };
	label.width = text_width(label.text);
	shown.width = text_width(shown.text);
	write_badge(out, strbuf_str(&title), &label, &shown, color_of(lowest(c)));
	strbuf_release(&title);
	strbuf_release(&name);
	strbuf_release(&value);
	return sink_finish(out);
}
