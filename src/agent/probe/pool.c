/* SPDX-License-Identifier: Apache-2.0 */
#include "agent/probe/pool.h"

#include "agent/agent_p.h"
#include "base/reader.h"
#include "formats/classfile/classfile.h"

/* JVMS 4.4: bytes behind the tag; 0 for a tag that does not exist. Utf8 entries say it themselves. */
static size_t payload(struct reader *r, uint8_t tag)
{
	static const uint8_t sizes[] = {
		[CP_INTEGER] = 4, [CP_FLOAT] = 4, [CP_LONG] = 8, [CP_DOUBLE] = 8, [CP_CLASS] = 2, [CP_STRING] = 2,
		[CP_FIELD] = 4, [CP_METHOD] = 4, [CP_IMETHOD] = 4, [CP_NAMETYPE] = 4, [CP_HANDLE] = 3, [CP_METHODTYPE] = 2,
		[CP_DYNAMIC] = 4, [CP_INVOKEDYNAMIC] = 4, [CP_MODULE] = 2, [CP_PACKAGE] = 2,
	};

	if (tag == CP_UTF8)
		return reader_u2(r);
	return tag < ARRAY_LEN(sizes) ? sizes[tag] : 0;
}

static void index_entries(struct live_pool *p, size_t len)
{
	struct reader r = reader_of((struct span){ p->bytes, len });

	for (uint32_t i = 1; i < p->count && reader_left(&r); i++) {
		const uint8_t *start = r.p;
		uint8_t tag = reader_u1(&r);
		size_t n = payload(&r, tag);
		if (!reader_take(&r, n) || (!n && tag != CP_UTF8))
			return;
		p->entries[i] = (struct span){ start, (size_t)(r.p - start) };
		i += tag == CP_LONG || tag == CP_DOUBLE;      /* these take two indices */
	}
}

bool live_pool_get(jclass c, struct live_pool *p)
{
	jint count = 0, len = 0;

	*p = (struct live_pool){ 0 };
	if ((*agent.ti)->GetConstantPool(agent.ti, c, &count, &len, &p->bytes) || count <= 0 || len < 0)
		return false;
	p->count = (uint32_t)count;
	p->entries = mem_zalloc(p->count * sizeof(*p->entries));
	index_entries(p, (size_t)len);
	return true;
}

void live_pool_release(struct live_pool *p)
{
	agent_free(p->bytes);
	free(p->entries);
}

/* The u2 at `offset` of an entry of one of these tags; 0: it is another one. */
static unsigned index_in(const struct live_pool *p, unsigned entry, uint8_t tag, uint8_t or_tag, unsigned offset)
{
	if (entry >= p->count || p->entries[entry].len < offset + 2)
		return 0;
	const uint8_t *b = p->entries[entry].p;
	return b[0] == tag || b[0] == or_tag ? (unsigned)b[offset] << 8 | b[offset + 1] : 0;
}

static struct str utf8(const struct live_pool *p, unsigned entry)
{
	if (entry >= p->count || p->entries[entry].len < 3 || p->entries[entry].p[0] != CP_UTF8)
		return STR("");
	return (struct str){ (const char *)p->entries[entry].p + 3, (uint32_t)p->entries[entry].len - 3 };
}

bool live_pool_method(const struct live_pool *p, uint32_t index, struct live_ref *out)
{
	unsigned owner = index_in(p, index, CP_METHOD, CP_IMETHOD, 1);
	unsigned type = index_in(p, index, CP_METHOD, CP_IMETHOD, 3);

	if (!owner || !type)
		return false;
	out->owner = utf8(p, index_in(p, owner, CP_CLASS, CP_CLASS, 1));
	out->name = utf8(p, index_in(p, type, CP_NAMETYPE, CP_NAMETYPE, 1));
	out->desc = utf8(p, index_in(p, type, CP_NAMETYPE, CP_NAMETYPE, 3));
	return true;
}

bool live_pool_next_method(const struct live_pool *p, uint32_t *at, struct live_ref *out)
{
	while (++*at < p->count)
		if (live_pool_method(p, *at, out))
			return true;
	return false;
}
