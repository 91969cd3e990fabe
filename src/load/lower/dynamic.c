/* SPDX-License-Identifier: Apache-2.0 */
/* dynamic.c - statements for invokedynamic sites and the constants of `ldc` that run code, and
 * other things that outlines and bodies share. */
#include "load/lower/lower_p.h"

#include "formats/classfile/descriptor.h"
#include "load/lower/synth.h"

/* Skips the field type at `at`; NULL when it is malformed. */
static const char *skip_type(const char *at, const char *end)
{
	while (at < end && *at == '[')
		at++;
	if (at == end || ir_kind_of_desc((struct str){ at, 1 }) == IR_KIND_NONE)
		return NULL;
	if (*at != 'L')
		return at + 1;
	at = memchr(at, ';', (size_t)(end - at));
	return at ? at + 1 : NULL;
}

bool signature_of(struct str desc, struct signature *s)
{
	const char *at = desc.p, *end = desc.p + desc.len;

	s->nparams = 0;
	if (desc.len < 3 || *at++ != '(')
		return false;
	while (at < end && *at != ')') {
		if (s->nparams == MAX_PARAMS)
			return false;
		s->params[s->nparams++] = (uint8_t)ir_kind_of_desc((struct str){ at, 1 });
		at = skip_type(at, end);
		if (!at)
			return false;
	}
	if (end - at < 2)
		return false;
	at++;
	s->returns = ir_kind_of_desc((struct str){ at, 1 });
	return *at == 'V' ? at + 1 == end : skip_type(at, end) == end;
}

/* Linking the site runs the bootstrap method, see ops.def; it may be a constructor of a call site. */
static void emit_bootstrap(struct program *p, struct body_builder *b, const struct indy *in)
{
	if (!in->bootstrap.i)
		return;
	struct ir_mref boot = *mref_row(p, in->bootstrap);
	bool is_new = str_is(sel_name(p, boot.sel), "<init>");
	if (is_new)
		builder_stmt(b, IR_NEW, 0, boot.owner.i, IR_KIND_OBJECT, NULL, 0);
	bool is_lowered = in->kind == INDY_CONSTANT || in->kind == INDY_LINKED;
	builder_stmt(b, is_new ? IR_CALL_SPECIAL : IR_CALL_STATIC, is_lowered ? IR_CALL_LINKED : IR_CALL_LINK, in->bootstrap.i,
		     IR_KIND_NONE, NULL, 0);
}

static ir_value emit_lambda(struct body_builder *b, const struct indy *in, const struct signature *s,
			    const ir_value *args)
{
	ir_value object = builder_stmt(b, IR_NEW, 0, in->cls.i, IR_KIND_OBJECT, NULL, 0);

	for (uint32_t k = 0; k < in->ncaptures && k < s->nparams && !b->outline; k++) {
		ir_value operands[2] = { object, args[k] };

		builder_stmt(b, IR_PUTFIELD, 0, in->captures[k].i, IR_KIND_NONE, operands, 2);
	}
	return object;
}

static struct str value_of_desc(char type)
{
	switch (type) {
	case 'B': case 'I': case 'S':
		return STR("(I)Ljava/lang/String;");
	case 'J':
		return STR("(J)Ljava/lang/String;");
	case 'F':
		return STR("(F)Ljava/lang/String;");
	case 'D':
		return STR("(D)Ljava/lang/String;");
	case 'C':
		return STR("(C)Ljava/lang/String;");
	case 'Z':
		return STR("(Z)Ljava/lang/String;");
	default:
		return STR("(Ljava/lang/Object;)Ljava/lang/String;");
	}
}

/* What concatenation makes of an operand: String.valueOf, whatever shortcuts the JDK takes. Its own code sees the
 * operand as well. */
static ir_value emit_value_of(struct program *p, struct body_builder *b, struct str desc, const ir_value *v)
{
	sel_id sel = program_sel(p, STR("valueOf"), value_of_desc(desc.p[0]));
	ir_value text = builder_stmt(b, IR_CALL_STATIC, IR_CALL_LOWERED, program_mref(p, p->string, sel, false).i, IR_KIND_OBJECT, v, 1);

	if (v && ir_kind_of_desc(desc) == IR_KIND_OBJECT)
		synth_leave(p, b, "concatenated", *v);
	return text;
}

/* The JVM makes the static arguments before it calls the bootstrap method. What an unknown one does with them is
 * not known: their handles count as called. */
static void emit_static_args(struct program *p, struct body_builder *b, const struct indy *in)
{
	for (uint32_t k = 0; k < in->nargs; k++) {
		uint16_t cp = cf_u2(&in->unit->cf, in->args + 2 * k);
		unsigned tag = cf_tag(&in->unit->cf, cp);

		if (tag == CP_DYNAMIC) {
			struct indy nested = indy_constant(p, in->unit, cp);
			if (nested.sel.i)
				emit_dynamic_constant(p, b, &nested);
		} else if (in->kind == INDY_UNKNOWN && (tag == CP_CLASS || tag == CP_METHODTYPE || tag == CP_HANDLE)) {
			emit_constant(p, in->unit, b, cp);
		}
	}
}

/* Concatenation. A recipe (java.lang.invoke.StringConcatFactory) is the text, with \1 for each operand and \2 for each
 * constant behind it; without one, there are operands alone. */

struct parts {
	struct program *p;
	struct body_builder *b;
	const struct indy *in;
	VEC(ir_value) operands;       /* as text */
	VEC(ir_value) all;
	uint32_t used, constants;
};

static void add_constant(struct parts *x)
{
	if (++x->constants >= x->in->nargs)
		return;
	uint16_t cp = cf_u2(&x->in->unit->cf, x->in->args + 2 * x->constants);
	unsigned tag = cf_tag(&x->in->unit->cf, cp);
	struct indy nested = tag == CP_DYNAMIC ? indy_constant(x->p, x->in->unit, cp) : (struct indy){ 0 };

	if (tag == CP_STRING) {
		vec_push(&x->all, emit_constant(x->p, x->in->unit, x->b, cp));
	} else if (nested.sel.i) {
		ir_value v = emit_dynamic_constant(x->p, x->b, &nested);
		vec_push(&x->all, emit_value_of(x->p, x->b, sel_desc(x->p, nested.sel), &v));
	} else {
		vec_push(&x->all, builder_stmt(x->b, IR_NEW, 0, x->p->string.i, IR_KIND_OBJECT, NULL, 0));
	}
}

static void add_text(struct parts *x, struct str text)
{
	if (text.len && !x->b->outline)
		vec_push(&x->all, builder_stmt(x->b, IR_CONST_STRING, 0, intern(&x->p->strings, text).i, IR_KIND_OBJECT, NULL, 0));
}

static void add_parts(struct parts *x, struct str recipe)
{
	uint32_t from = 0;

	for (uint32_t i = 0; i < recipe.len; i++) {
		if (recipe.p[i] != 1 && recipe.p[i] != 2)
			continue;
		add_text(x, str_sub(recipe, from, i));
		from = i + 1;
		if (recipe.p[i] == 2)
			add_constant(x);
		else if (x->used < x->operands.len)
			vec_push(&x->all, x->operands.data[x->used++]);
	}
	add_text(x, str_sub(recipe, from, recipe.len));
	while (x->used < x->operands.len)
		vec_push(&x->all, x->operands.data[x->used++]);
}

static struct str recipe_of(const struct indy *in)
{
	uint16_t cp = in->nargs ? cf_u2(&in->unit->cf, in->args) : 0;

	return cp && cf_tag(&in->unit->cf, cp) == CP_STRING ? cf_name(&in->unit->cf, cp) : STR("");
}

static ir_value emit_concat(struct program *p, struct body_builder *b, const struct indy *in, const ir_value *args)
{
	struct parts x = { .p = p, .b = b, .in = in };
	struct desc_iter it = desc_params(sel_desc(p, in->sel));
	struct str d;

	for (uint32_t k = 0; desc_next(&it, &d); k++)
		vec_push(&x.operands, emit_value_of(p, b, d, args ? &args[k] : NULL));
	add_parts(&x, recipe_of(in));
	ir_value made = builder_stmt(b, IR_NEW, 0, p->string.i, IR_KIND_OBJECT, x.all.data, x.all.len);
	vec_release(&x.operands);
	vec_release(&x.all);
	return made;
}

static mref_id handle_method(struct program *p, const char *owner, const char *name, struct str desc)
{
	return program_mref(p, program_class(p, str_of(owner)), program_sel(p, str_of(name), desc), false);
}

/* The helper links the site: what it returns has the handle that is invoked with the operands. */
static ir_value emit_linked(struct program *p, struct body_builder *b, const struct indy *in, const struct signature *s,
			    const ir_value *args)
{
	mref_id target = handle_method(p, "java/lang/invoke/CallSite", "getTarget", STR("()Ljava/lang/invoke/MethodHandle;"));
	mref_id invoke = handle_method(p, "java/lang/invoke/MethodHandle", "invokeExact", sel_desc(p, in->sel));
	ir_value operands[1 + MAX_PARAMS];

	ir_value site = builder_stmt(b, IR_CALL_STATIC, IR_CALL_LOWERED, in->helper.i, IR_KIND_OBJECT, NULL, 0);
	operands[0] = builder_stmt(b, IR_CALL_VIRTUAL, IR_CALL_LOWERED, target.i, IR_KIND_OBJECT, &site, 1);
	if (args)
		memcpy(operands + 1, args, s->nparams * sizeof(*args));
	return builder_stmt(b, IR_CALL_VIRTUAL, IR_CALL_TARGET, invoke.i, s->returns, operands, 1 + s->nparams);
}

ir_value emit_dynamic_call(struct program *p, struct body_builder *b, const struct indy *in,
			   const struct signature *s, const ir_value *args)
{
	if (in->kind != INDY_CONCAT && in->kind != INDY_LINKED)
		emit_static_args(p, b, in);
	emit_bootstrap(p, b, in);
	if (in->kind == INDY_UNKNOWN)
		return builder_stmt(b, IR_CALL_DYNAMIC, 0, builder_dynamic(b, in->bootstrap, in->sel), s->returns, args,
				    s->nparams);
	if (in->kind == INDY_LAMBDA)
		return emit_lambda(b, in, s, args);
	if (in->kind == INDY_CONCAT)
		return emit_concat(p, b, in, args);
	if (in->kind == INDY_LINKED)
		return emit_linked(p, b, in, s, args);
	return builder_stmt(b, IR_CALL_STATIC, IR_CALL_LOWERED, in->helper.i, s->returns, args, s->nparams);
}

ir_value emit_dynamic_constant(struct program *p, struct body_builder *b, const struct indy *in)
{
	struct str desc = sel_desc(p, in->sel);
	enum ir_kind kind = ir_kind_of_desc(desc);

	emit_bootstrap(p, b, in);
	if (in->kind != INDY_CONSTANT)
		return builder_stmt(b, IR_CONST_DYNAMIC, 0, builder_dynamic(b, in->bootstrap, in->sel), kind, NULL, 0);
	ir_value v = builder_stmt(b, IR_CALL_STATIC, IR_CALL_LOWERED, in->helper.i, kind, NULL, 0);

	if (kind != IR_KIND_OBJECT || b->outline || str_is(desc, "Ljava/lang/Object;"))
		return v;
	return builder_stmt(b, IR_CAST, 0, program_class_of_desc(p, desc).i, IR_KIND_OBJECT, &v, 1);
}

bool emit_handle(struct program *p, struct unit *u, struct body_builder *b, uint16_t cp, ir_value *result)
{
	struct cf_handle h = cf_handle(&u->cf, cp);
	unsigned tag = cf_tag(&u->cf, h.ref);
	bool is_field = ir_is_field_handle(h.kind);

	if (is_field ? tag != CP_FIELD : tag != CP_METHOD && tag != CP_IMETHOD)
		return false;
	uint32_t ref = is_field ? unit_fref(p, u, h.ref).i : unit_mref(p, u, h.ref).i;

	*result = builder_stmt(b, IR_CONST_HANDLE, h.kind, ref, IR_KIND_OBJECT, NULL, 0);
	return true;
}

ir_value emit_constant(struct program *p, struct unit *u, struct body_builder *b, uint16_t cp)
{
	const struct classfile *cf = &u->cf;
	ir_value v = 0;

	switch (cf_tag(cf, cp)) {
	case CP_INTEGER:
		return builder_stmt(b, IR_CONST_INT, 0, (uint32_t)cf_int(cf, cp), IR_KIND_INT, NULL, 0);
	case CP_FLOAT:
		return builder_stmt(b, IR_CONST_FLOAT, 0, cf_u4(cf, cf->cp[cp] + 1), IR_KIND_FLOAT, NULL, 0);
	case CP_LONG:
		return builder_stmt(b, IR_CONST_LONG, 0, builder_long(b, cf_long(cf, cp)), IR_KIND_LONG, NULL, 0);
	case CP_DOUBLE:
		return builder_stmt(b, IR_CONST_DOUBLE, 0, builder_long(b, cf_long(cf, cp)), IR_KIND_DOUBLE, NULL, 0);
	case CP_STRING:
		return builder_stmt(b, IR_CONST_STRING, 0, unit_string(p, u, cp).i, IR_KIND_OBJECT, NULL, 0);
	case CP_CLASS:
		return builder_stmt(b, IR_CONST_CLASS, 0, unit_class(p, u, cp).i, IR_KIND_OBJECT, NULL, 0);
	case CP_METHODTYPE:
		return builder_stmt(b, IR_CONST_MTYPE, 0, unit_string(p, u, cp).i, IR_KIND_OBJECT, NULL, 0);
	case CP_HANDLE:
		emit_handle(p, u, b, cp, &v);
		return v;
	default:
		return 0;
	}
}

class_id lower_primitive_array(struct program *p, unsigned type)
{
	static const char names[8][3] = { "[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J" };

	return program_class(p, (struct str){ names[type - 4], 2 });
}

void lower_diag(struct program *p, const struct unit *u, uint16_t index, enum diag_code code, uint32_t pc,
		const char *what)
{
	const struct cf_member *m = &u->cf.methods[index];
	struct str name = cf_utf8(&u->cf, m->name), desc = cf_utf8(&u->cf, m->desc);
	const char *artifact = p->artifacts.len ? p->artifacts.data[class_row(p, u->self)->artifact] : NULL;

	diag_add(p->diag, code, artifact, class_name(p, u->self), pc, "%s in %.*s:%.*s at pc %u", what, (int)name.len,
		 name.p, (int)desc.len, desc.p, (unsigned)pc);
}
