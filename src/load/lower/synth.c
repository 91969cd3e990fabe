/* SPDX-License-Identifier: Apache-2.0 */
#include "load/lower/synth.h"

#include "formats/classfile/bytecode.h"
#include "ir/access.h"

class_id synth_class(struct program *p, class_id outer, const char *tag, struct str place)
{
	struct strbuf name = { 0 };

	strbuf_addstr(&name, class_name(p, outer));
	strbuf_addf(&name, "$$%s$", tag);
	strbuf_addstr(&name, place);
	class_id c = program_make_class(p, strbuf_str(&name));
	strbuf_release(&name);
	struct ir_class *row = class_row(p, c);
	row->flags |= ACCESS_FINAL;
	row->outer = outer;
	row->nest_host = class_row(p, outer)->nest_host;
	row->artifact = class_row(p, outer)->artifact;
	return c;
}

void synth_finish(struct synth *s, method_id m)
{
	struct ir_body *b = arena_new(&s->p->mem, struct ir_body);

	*b = builder_finish(&s->b, &s->p->mem);
	builder_release(&s->b);
#ifdef SHERD_CHECK
	const char *reason;
	if (!body_check(b, &s->p->mem, &reason))
		BUG("%s: %s", class_name(s->p, method_row(s->p, m)->owner).p, reason);
#endif
	loader_set_body(loader_of(s->p), m, b);
}

ir_value synth_param(struct synth *s, uint32_t k, struct str desc)
{
	return builder_stmt(&s->b, IR_PARAM, 0, k, ir_kind_of_desc(desc), NULL, 0);
}

ir_value synth_call_ref(struct synth *s, enum ir_op op, mref_id m, const ir_value *args, uint32_t n)
{
	enum ir_kind kind = sel_row(s->p, mref_row(s->p, m)->sel)->returns;

	return builder_stmt(&s->b, op, 0, m.i, kind, args, n);
}

ir_value synth_call(struct synth *s, enum ir_op op, const char *owner, const char *name, const char *desc,
		    const ir_value *args, uint32_t n)
{
	class_id c = program_class(s->p, str_of(owner));
	sel_id sel = program_sel(s->p, str_of(name), str_of(desc));

	return synth_call_ref(s, op, program_mref(s->p, c, sel, op == IR_CALL_INTERFACE), args, n);
}

ir_value synth_new(struct synth *s, class_id c)
{
	return builder_stmt(&s->b, IR_NEW, 0, c.i, IR_KIND_OBJECT, NULL, 0);
}

void synth_return(struct synth *s, ir_value v)
{
	builder_stmt(&s->b, IR_RETURN, 0, 0, IR_KIND_NONE, &v, v ? 1 : 0);
}

ir_value synth_default(struct synth *s, struct str desc)
{
	static const enum ir_op ops[] = { [IR_KIND_INT] = IR_CONST_INT, [IR_KIND_LONG] = IR_CONST_LONG,
					  [IR_KIND_FLOAT] = IR_CONST_FLOAT, [IR_KIND_DOUBLE] = IR_CONST_DOUBLE,
					  [IR_KIND_OBJECT] = IR_CONST_NULL };
	enum ir_kind kind = ir_kind_of_desc(desc);

	if (kind == IR_KIND_NONE)
		return 0;
	bool is_long = kind == IR_KIND_LONG || kind == IR_KIND_DOUBLE;
	return builder_stmt(&s->b, ops[kind], 0, is_long ? builder_long(&s->b, 0) : 0, kind, NULL, 0);
}

void synth_leave(struct program *p, struct body_builder *b, const char *field, ir_value v)
{
	if (b->outline || !v)
		return;
	sel_id sel = program_sel(p, str_of(field), STR("Ljava/lang/Object;"));
	fref_id f = program_fref(p, program_class(p, STR("sherd/JVM")), sel);
	builder_stmt(b, IR_PUTSTATIC, 0, f.i, IR_KIND_NONE, &v, 1);
}

static const struct box {
	char code;
	const char *cls, *value_of, *unbox, *unbox_desc;
} boxes[] = {
	{ 'I', "java/lang/Integer", "(I)Ljava/lang/Integer;", "intValue", "()I" },
	{ 'J', "java/lang/Long", "(J)Ljava/lang/Long;", "longValue", "()J" },
	{ 'D', "java/lang/Double", "(D)Ljava/lang/Double;", "doubleValue", "()D" },
	{ 'F', "java/lang/Float", "(F)Ljava/lang/Float;", "floatValue", "()F" },
	{ 'Z', "java/lang/Boolean", "(Z)Ljava/lang/Boolean;", "booleanValue", "()Z" },
	{ 'C', "java/lang/Character", "(C)Ljava/lang/Character;", "charValue", "()C" },
	{ 'B', "java/lang/Byte", "(B)Ljava/lang/Byte;", "byteValue", "()B" },
	{ 'S', "java/lang/Short", "(S)Ljava/lang/Short;", "shortValue", "()S" },
};

static const struct box *box_of(char code)
{
	for (size_t i = 0; i < ARRAY_LEN(boxes); i++)
		if (boxes[i].code == code)
			return &boxes[i];
	return &boxes[0];
}

/* An object as a primitive: through its own box class when the type says so, else Number. */
static ir_value unbox(struct synth *s, ir_value v, struct str from, char to)
{
	const struct box *box = box_of(to);
	const char *cls = box->cls;
	bool numeric = to != 'Z' && to != 'C';

	for (size_t i = 0; i < ARRAY_LEN(boxes); i++)
		if (from.len == strlen(boxes[i].cls) + 2 && memcmp(from.p + 1, boxes[i].cls, from.len - 2) == 0)
			cls = numeric && boxes[i].code != 'Z' && boxes[i].code != 'C' ? boxes[i].cls : cls;
	if (str_eq(from, STR("Ljava/lang/Number;")) && numeric)
		cls = "java/lang/Number";
	class_id c = program_class(s->p, str_of(cls));
	v = builder_stmt(&s->b, IR_CAST, 0, c.i, IR_KIND_OBJECT, &v, 1);
	return synth_call(s, IR_CALL_VIRTUAL, cls, box->unbox, box->unbox_desc, &v, 1);
}

static ir_value widen(struct synth *s, ir_value v, enum ir_kind from, enum ir_kind to)
{
	static const uint8_t ops[6][6] = {
		[IR_KIND_INT] = { [IR_KIND_LONG] = BC_i2l, [IR_KIND_FLOAT] = BC_i2f, [IR_KIND_DOUBLE] = BC_i2d },
		[IR_KIND_LONG] = { [IR_KIND_INT] = BC_l2i, [IR_KIND_FLOAT] = BC_l2f, [IR_KIND_DOUBLE] = BC_l2d },
		[IR_KIND_FLOAT] = { [IR_KIND_INT] = BC_f2i, [IR_KIND_LONG] = BC_f2l, [IR_KIND_DOUBLE] = BC_f2d },
		[IR_KIND_DOUBLE] = { [IR_KIND_INT] = BC_d2i, [IR_KIND_LONG] = BC_d2l, [IR_KIND_FLOAT] = BC_d2f },
	};

	return from == to ? v : builder_stmt(&s->b, IR_ARITH, ops[from][to], 0, to, &v, 1);
}

ir_value synth_convert(struct synth *s, ir_value v, struct str from, struct str to)
{
	enum ir_kind a = ir_kind_of_desc(from), b = ir_kind_of_desc(to);

	if (b == IR_KIND_NONE)
		return 0;
	if (a == IR_KIND_NONE)
		return synth_default(s, to);
	if (a == IR_KIND_OBJECT && b == IR_KIND_OBJECT) {
		class_id c = program_class_of_desc(s->p, to);
		bool same = str_eq(from, to) || c.i == s->p->object.i;
		return same ? v : builder_stmt(&s->b, IR_CAST, 0, c.i, IR_KIND_OBJECT, &v, 1);
	}
	if (a == IR_KIND_OBJECT)
		return unbox(s, v, from, to.p[0]);
	if (b == IR_KIND_OBJECT) {
		const struct box *box = box_of(from.p[0]);
		return synth_call(s, IR_CALL_STATIC, box->cls, "valueOf", box->value_of, &v, 1);
	}
	return widen(s, v, a, b);
}
