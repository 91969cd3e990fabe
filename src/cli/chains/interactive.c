/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/chains/interactive.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/chains/browse.h"
#include "cli/chains/terminal.h"
#include "cli/output.h"

static bool write_file(const struct browse *b)
{
	struct strbuf text = { 0 };
	struct output o;

	if (!output_open(&o, b->path.s))
		return false;
	browse_text(b, &text);
	bool ok = fwrite(text.s, 1, text.len, o.file) == text.len;
	strbuf_release(&text);
	if (ok)
		return output_commit(&o);
	int e = errno;
	output_abort(&o);
	errno = e;
	return false;
}

/* "-" would be the screen. */
static void save(struct browse *b, bool may_replace)
{
	if (strcmp(b->path.s, "-") == 0)
		browse_saved(b, "it is no file");
	else if (!may_replace && access(b->path.s, F_OK) == 0)
		browse_ask_to_replace(b);
	else
		browse_saved(b, write_file(b) ? NULL : strerror(errno));
}

static bool draw(struct browse *b, bool color)
{
	struct strbuf lines = { 0 };
	uint32_t width, height;

	terminal_size(&width, &height);
	browse_resize(b, width, height);
	browse_draw(b, color, &lines);
	bool ok = terminal_show(&lines);
	strbuf_release(&lines);
	return ok;
}

/* False: the terminal has gone. */
static bool go_on(struct browse *b, bool color)
{
	for (;;) {
		if (!draw(b, color))
			return false;
		int key = terminal_key();
		if (key == TERMINAL_GONE)
			return false;
		enum browse_wish wish = key == TERMINAL_RESIZED ? BROWSE_GO_ON : browse_key(b, key);
		if (wish == BROWSE_QUIT)
			return true;
		if (wish != BROWSE_GO_ON)
			save(b, wish == BROWSE_SAVE_OVER);
	}
}

bool chains_interact(struct cli_run *r, struct chains *c, const char *component, const char *file)
{
	struct browse b;

	budget_end();                           /* people take their time */
	term_progress_end(&r->term);
	if (!terminal_enter()) {
		term_error(&r->term, "the terminal cannot be used: %s; leave --interactive out", strerror(errno));
		return false;
	}
	browse_init(&b, c, &r->inquiry.diag, component, file);
	bool ok = go_on(&b, r->term.color_out);
	terminal_leave();
	if (!ok)
		term_error(&r->term, "the terminal is gone");
	else if (b.is_saved)
		term_note(&r->term, "saved as %s, which --filter reads", b.own.s);
	browse_release(&b);
	return ok;
}
