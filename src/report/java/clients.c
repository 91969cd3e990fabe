/* SPDX-License-Identifier: Apache-2.0 */
#include "report/java/clients.h"

static struct str next_word(struct str *rest)
{
	uint32_t end = 0, next;

	while (end < rest->len && rest->p[end] != ' ')
		end++;
	next = end < rest->len ? end + 1 : end;
	struct str word = str_sub(*rest, 0, end);
	*rest = str_sub(*rest, next, rest->len);
	return word;
}

struct str clients_word(struct str clients)
{
	return next_word(&clients);
}

static uint32_t count_types(struct str clients)
{
	uint32_t n = 0;

	for (next_word(&clients); clients.len; n++)
		next_word(&clients);
	return n;
}

void clients_add_words(struct str clients, struct strbuf *out)
{
	uint32_t n = count_types(clients);

	strbuf_addstr(out, clients_word(clients));
	if (!str_is(clients_word(clients), "auto"))
		return;
	if (n)
		strbuf_addf(out, ": open for %u type%s that the tests extend or implement", (unsigned)n, n == 1 ? "" : "s");
	else
		strbuf_adds(out, ": closed, as the tests extend and implement nothing");
}

void clients_show(const struct screen_out *s, uint32_t width, struct str clients)
{
	struct strbuf text = { 0 };

	clients_add_words(clients, &text);
	screen_fact(s, width, "Clients", strbuf_str(&text));
	strbuf_release(&text);
}

void clients_write(struct json *j, struct str clients)
{
	struct str word = next_word(&clients);

	if (!word.len)
		return;
	json_key(j, "clients"), json_str(j, word);
	if (!str_is(word, "auto"))
		return;
	json_key(j, "opened"), json_array(j);
	while (clients.len)
		json_str(j, next_word(&clients));
	json_end_array(j);
}
