/* SPDX-License-Identifier: Apache-2.0 */
/* exec.c - one instruction at a time: takes its operands from the abstract stack and locals, adds its
 * statements, and puts the result back. The stack holds one value for each operand, whatever its width. */
#include "ir/arith.h"
#include "load/lower/ssa_p.h"

#define ANY IR_KIND_NONE

static void fail(struct lower *l, const char *what)
{
	lower_fail(l, DIAG_E020, l->b.pc, what);
}

static void push(struct lower *l, ir_value v)
{
	if (l->depth == l->code.max_stack)
		fail(l, "stack overflow");
	else
		l->stack[l->depth++] = v;
}

static ir_value pop(struct lower *l, enum ir_kind kind)
{
	if (l->depth == 0) {
		fail(l, "stack underflow");
		return 0;
	}
	ir_value v = l->stack[--l->depth];

	if (kind != ANY && lower_kind(l, v) != kind)
		fail(l, "operand of the wrong kind");
	return v;
}

static ir_value stmt(struct lower *l, enum ir_op op, unsigned sub, uint32_t ref, enum ir_kind kind,
		     const ir_value *args, uint32_t nargs)
{
	return builder_stmt(&l->b, op, sub, ref, kind, args, nargs);
}

/* A statement without operands whose result goes on the stack. */
static void push_new(struct lower *l, enum ir_op op, uint32_t ref, enum ir_kind kind)
{
	push(l, stmt(l, op, 0, ref, kind, NULL, 0));
}

static bool require(struct lower *l, uint16_t cp, unsigned tag)
{
	if (cf_tag(&l->u->cf, cp) == tag)
		return true;
	fail(l, "constant pool entry of the wrong kind");
	return false;
}

static void load(struct lower *l, uint32_t n, enum ir_kind kind)
{
	ir_value v = l->locals[n];

	if (lower_kind(l, v) != kind)
		fail(l, v ? "local variable of the wrong kind" : "local variable is not assigned");
	push(l, v);
}

static void iinc(struct lower *l, const struct insn *in)
{
	ir_value args[2] = { l->locals[in->a] };

	if (lower_kind(l, args[0]) != IR_KIND_INT) {
		fail(l, "local variable is not an int");
		return;
	}
	args[1] = stmt(l, IR_CONST_INT, 0, (uint32_t)in->b, IR_KIND_INT, NULL, 0);
	lower_set_local(l, (uint32_t)in->a, stmt(l, IR_ARITH, BC_iadd, 0, IR_KIND_INT, args, 2));
}

/* How many values make up `words` stack words below the top `skip` values. */
static uint32_t values_of(struct lower *l, uint32_t skip, uint32_t words)
{
	uint32_t n = 0;

	while (words > 0) {
		if (skip + n >= l->depth) {
			fail(l, "stack underflow");
			return 0;
		}
		uint32_t w = is_wide(lower_kind(l, l->stack[l->depth - 1 - skip - n])) ? 2 : 1;

		if (w > words) {
			fail(l, "half of a wide operand");
			return 0;
		}
		words -= w;
		n++;
	}
	return n;
}

/* All the dup instructions: copies the top `words` below the `under` words under them. */
static void dup_words(struct lower *l, uint32_t words, uint32_t under)
{
	uint32_t n = values_of(l, 0, words), m = values_of(l, n, under);

	if (l->what)
		return;
	if (l->depth + n > l->code.max_stack) {
		fail(l, "stack overflow");
		return;
	}
	ir_value *top = l->stack + l->depth;

	for (uint32_t i = 0; i < n + m; i++)
		top[(int64_t)n - 1 - i] = top[-1 - (int64_t)i];
	for (uint32_t i = 0; i < n; i++)
		top[(int64_t)i - n - m] = top[i];
	l->depth += n;
}

static void swap(struct lower *l)
{
	ir_value a = pop(l, ANY), b = pop(l, ANY);

	if (is_wide(lower_kind(l, a)) || is_wide(lower_kind(l, b)))
		fail(l, "half of a wide operand");
	push(l, a);
	push(l, b);
}

static void stack_op(struct lower *l, uint8_t op)
{
	switch (op) {
	case BC_pop:
		l->depth -= values_of(l, 0, 1);
		break;
	case BC_pop2:
		l->depth -= values_of(l, 0, 2);
		break;
	case BC_swap:
		swap(l);
		break;
	default:        /* dup dup_x1 dup_x2 dup2 dup2_x1 dup2_x2 */
		dup_words(l, (op - BC_dup) / 3u + 1, (op - BC_dup) % 3u);
	}
}

static void arith(struct lower *l, uint8_t op)
{
	const struct ir_arith_info *info = &ir_ariths[op];
	ir_value args[2];
	uint32_t n = info->b ? 2 : 1;

	if (info->b)
		args[1] = pop(l, (enum ir_kind)info->b);
	args[0] = pop(l, (enum ir_kind)info->a);
	if (info->result)
		push(l, stmt(l, IR_ARITH, op, 0, (enum ir_kind)info->result, args, n));
	else
		stmt(l, IR_IF, op, 0, ANY, args, n);
}

static void push_long(struct lower *l, enum ir_op op, int64_t bits, enum ir_kind kind)
{
	push_new(l, op, builder_long(&l->b, bits), kind);
}

static void fconst(struct lower *l, unsigned n)
{
	static const uint32_t bits[3] = { 0, 0x3f800000, 0x40000000 };

	push_new(l, IR_CONST_FLOAT, bits[n], IR_KIND_FLOAT);
}

static void ldc_dynamic(struct lower *l, uint16_t cp, bool wide)
{
	struct indy in = indy_constant(l->p, l->u, cp);
	enum ir_kind kind = ir_kind_of_desc(sel_desc(l->p, in.sel));

	if (kind == IR_KIND_NONE || is_wide(kind) != wide)
		fail(l, "dynamic constant of the wrong type");
	else
		push(l, emit_dynamic_constant(l->p, &l->b, &in));
}

/* ldc has every loadable constant but the wide ones, ldc2_w only those. */
static void ldc(struct lower *l, uint16_t cp, bool wide)
{
	unsigned tag = cf_tag(&l->u->cf, cp);

	if (tag == CP_DYNAMIC) {
		ldc_dynamic(l, cp, wide);
		return;
	}
	ir_value v = wide == (tag == CP_LONG || tag == CP_DOUBLE) ? emit_constant(l->p, l->u, &l->b, cp) : 0;

	if (v)
		push(l, v);
	else
		fail(l, "constant pool entry of the wrong kind");
}

/* The kinds of elements are in the order of the array instructions. */
static void array_load(struct lower *l, uint8_t op)
{
	enum ir_kind element = (enum ir_kind)(IR_KIND_INT + (op - BC_iaload));
	ir_value args[2];

	args[1] = pop(l, IR_KIND_INT);
	args[0] = pop(l, IR_KIND_OBJECT);
	push(l, stmt(l, IR_ALOAD, element, 0, ir_value_kind(element), args, 2));
}

static void array_store(struct lower *l, uint8_t op)
{
	enum ir_kind element = (enum ir_kind)(IR_KIND_INT + (op - BC_iastore));
	ir_value args[3];

	args[2] = pop(l, ir_value_kind(element));
	args[1] = pop(l, IR_KIND_INT);
	args[0] = pop(l, IR_KIND_OBJECT);
	stmt(l, IR_ASTORE, element, 0, ANY, args, 3);
}

static void field(struct lower *l, uint8_t op, uint16_t cp)
{
	if (!require(l, cp, CP_FIELD))
		return;
	fref_id f = unit_fref(l->p, l->u, cp);
	enum ir_kind kind = ir_kind_of_desc(sel_desc(l->p, fref_row(l->p, f)->sel));
	bool writes = op == BC_putfield || op == BC_putstatic, is_static = op == BC_getstatic || op == BC_putstatic;
	ir_value args[2];
	uint32_t n = is_static ? 0 : 1;

	if (kind == IR_KIND_NONE) {
		fail(l, "malformed field descriptor");
		return;
	}
	if (writes)
		args[n] = pop(l, kind);
	if (!is_static)
		args[0] = pop(l, IR_KIND_OBJECT);
	if (writes)
		stmt(l, is_static ? IR_PUTSTATIC : IR_PUTFIELD, 0, f.i, ANY, args, n + 1);
	else
		push(l, stmt(l, is_static ? IR_GETSTATIC : IR_GETFIELD, 0, f.i, kind, args, n));
}

/* Pops the arguments of a call into args[0 ..). */
static void pop_args(struct lower *l, const struct signature *s, ir_value *args)
{
	for (uint32_t k = s->nparams; k-- > 0;)
		args[k] = pop(l, (enum ir_kind)s->params[k]);
}

static void call(struct lower *l, uint8_t opcode, uint16_t cp)
{
	static const uint8_t ops[] = { IR_CALL_VIRTUAL, IR_CALL_SPECIAL, IR_CALL_STATIC, IR_CALL_INTERFACE };
	enum ir_op op = (enum ir_op)ops[opcode - BC_invokevirtual];
	uint32_t receivers = op == IR_CALL_STATIC ? 0 : 1;
	ir_value args[MAX_PARAMS + 1];
	struct signature s;

	if (cf_tag(&l->u->cf, cp) != CP_IMETHOD && !require(l, cp, CP_METHOD))
		return;
	mref_id m = unit_mref(l->p, l->u, cp);

	if (!signature_of(sel_desc(l->p, mref_row(l->p, m)->sel), &s)) {
		fail(l, "malformed method descriptor");
		return;
	}
	pop_args(l, &s, args + receivers);
	if (receivers)
		args[0] = pop(l, IR_KIND_OBJECT);
	ir_value v = stmt(l, op, 0, m.i, s.returns, args, s.nparams + receivers);

	if (v)
		push(l, v);
}

static void call_dynamic(struct lower *l, uint16_t cp)
{
	ir_value args[MAX_PARAMS];
	struct signature s;

	if (!require(l, cp, CP_INVOKEDYNAMIC))
		return;
	struct indy in = indy_of(l->p, l->u, cp, l->index, l->b.pc);

	if (!signature_of(sel_desc(l->p, in.sel), &s)) {
		fail(l, "malformed method descriptor");
		return;
	}
	pop_args(l, &s, args);
	if (l->what)
		return;
	ir_value v = emit_dynamic_call(l->p, &l->b, &in, &s, args);

	if (lower_kind(l, v) != s.returns)
		fail(l, "bootstrap method and call site do not fit");
	if (v)
		push(l, v);
}

static void new_array(struct lower *l, class_id c)
{
	ir_value length = pop(l, IR_KIND_INT);

	push(l, stmt(l, IR_NEWARRAY, 0, c.i, IR_KIND_OBJECT, &length, 1));
}

static void new_multi(struct lower *l, class_id c, uint32_t dims)
{
	struct str name = class_name(l->p, c);
	ir_value args[255];
	uint32_t depth = 0;

	while (depth < name.len && name.p[depth] == '[')
		depth++;
	if (depth < dims)
		fail(l, "more dimensions than the array has");
	for (uint32_t k = dims; k-- > 0;)
		args[k] = pop(l, IR_KIND_INT);
	push(l, stmt(l, IR_NEWARRAY, 0, c.i, IR_KIND_OBJECT, args, dims));
}

static void class_op(struct lower *l, const struct insn *in)
{
	if (!require(l, (uint16_t)in->a, CP_CLASS))
		return;
	class_id c = unit_class(l->p, l->u, (uint16_t)in->a);
	ir_value v;

	switch (in->op) {
	case BC_new:
		push_new(l, IR_NEW, c.i, IR_KIND_OBJECT);
		break;
	case BC_anewarray:
		new_array(l, program_array_of(l->p, c));
		break;
	case BC_multianewarray:
		new_multi(l, c, (uint32_t)in->b);
		break;
	case BC_checkcast:
		v = pop(l, IR_KIND_OBJECT);
		push(l, stmt(l, IR_CAST, 0, c.i, IR_KIND_OBJECT, &v, 1));
		break;
	default:
		v = pop(l, IR_KIND_OBJECT);
		push(l, stmt(l, IR_INSTANCEOF, 0, c.i, IR_KIND_INT, &v, 1));
	}
}

/* arraylength, athrow, monitorenter, monitorexit */
static void object_op(struct lower *l, uint8_t opcode)
{
	ir_value v = pop(l, IR_KIND_OBJECT);

	if (opcode == BC_arraylength)
		push(l, stmt(l, IR_LENGTH, 0, 0, IR_KIND_INT, &v, 1));
	else if (opcode == BC_athrow)
		stmt(l, IR_THROW, 0, 0, ANY, &v, 1);
	else
		stmt(l, opcode == BC_monitorenter ? IR_MONITOR_ENTER : IR_MONITOR_EXIT, 0, 0, ANY, &v, 1);
}

static void switch_op(struct lower *l, const struct insn *in)
{
	struct span code = l->code.code;
	uint32_t n = bytecode_switch_count(code, in), first = l->b.longs.len;
	ir_value v = pop(l, IR_KIND_INT);

	for (uint32_t k = 0; k < n; k++)
		builder_long(&l->b, bytecode_switch_key(code, in, k));
	stmt(l, IR_SWITCH, 0, first, ANY, &v, 1);
}

static void return_op(struct lower *l, uint8_t op)
{
	enum ir_kind kind = op == BC_return ? IR_KIND_NONE : (enum ir_kind)(IR_KIND_INT + (op - BC_ireturn));

	if (kind != l->sig.returns) {
		fail(l, "return of the wrong kind");
		return;
	}
	ir_value v = kind ? pop(l, kind) : 0;

	stmt(l, IR_RETURN, 0, 0, ANY, &v, kind ? 1 : 0);
}

/* The return address that jsr pushes is never read: ret is an edge, see lower_graph.c. */
static void jump(struct lower *l, uint8_t op)
{
	if (op == BC_jsr)
		push_new(l, IR_UNDEF, 0, IR_KIND_OBJECT);
	stmt(l, IR_GOTO, 0, 0, ANY, NULL, 0);
}

void lower_exec(struct lower *l, const struct insn *in)
{
	uint8_t op = in->op;

	l->b.pc = in->pc;
	switch (op) {
	case BC_nop:
		break;
	case BC_aconst_null:
		push_new(l, IR_CONST_NULL, 0, IR_KIND_OBJECT);
		break;
	case BC_sipush:
		push_new(l, IR_CONST_INT, (uint32_t)in->a, IR_KIND_INT);
		break;
	case BC_lconst_0: case BC_lconst_1:
		push_long(l, IR_CONST_LONG, op - BC_lconst_0, IR_KIND_LONG);
		break;
	case BC_fconst_0: case BC_fconst_1: case BC_fconst_2:
		fconst(l, op - BC_fconst_0);
		break;
	case BC_dconst_0: case BC_dconst_1:
		push_long(l, IR_CONST_DOUBLE, op == BC_dconst_0 ? 0 : 0x3ff0000000000000, IR_KIND_DOUBLE);
		break;
	case BC_ldc:
		ldc(l, (uint16_t)in->a, false);
		break;
	case BC_ldc2_w:
		ldc(l, (uint16_t)in->a, true);
		break;
	case BC_iload: case BC_lload: case BC_fload: case BC_dload: case BC_aload:
		load(l, (uint32_t)in->a, (enum ir_kind)(IR_KIND_INT + (op - BC_iload)));
		break;
	case BC_istore: case BC_lstore: case BC_fstore: case BC_dstore: case BC_astore:
		lower_set_local(l, (uint32_t)in->a, pop(l, (enum ir_kind)(IR_KIND_INT + (op - BC_istore))));
		break;
	case BC_iinc:
		iinc(l, in);
		break;
	case BC_iaload: case BC_laload: case BC_faload: case BC_daload:
	case BC_aaload: case BC_baload: case BC_caload: case BC_saload:
		array_load(l, op);
		break;
	case BC_iastore: case BC_lastore: case BC_fastore: case BC_dastore:
	case BC_aastore: case BC_bastore: case BC_castore: case BC_sastore:
		array_store(l, op);
		break;
	case BC_pop: case BC_pop2: case BC_swap: case BC_dup: case BC_dup_x1: case BC_dup_x2:
	case BC_dup2: case BC_dup2_x1: case BC_dup2_x2:
		stack_op(l, op);
		break;
	case BC_goto: case BC_jsr: case BC_ret:
		jump(l, op);
		break;
	case BC_tableswitch: case BC_lookupswitch:
		switch_op(l, in);
		break;
	case BC_ireturn: case BC_lreturn: case BC_freturn: case BC_dreturn: case BC_areturn: case BC_return:
		return_op(l, op);
		break;
	case BC_getstatic: case BC_putstatic: case BC_getfield: case BC_putfield:
		field(l, op, (uint16_t)in->a);
		break;
	case BC_invokevirtual: case BC_invokespecial: case BC_invokestatic: case BC_invokeinterface:
		call(l, op, (uint16_t)in->a);
		break;
	case BC_invokedynamic:
		call_dynamic(l, (uint16_t)in->a);
		break;
	case BC_newarray:
		new_array(l, lower_primitive_array(l->p, (unsigned)in->a));
		break;
	case BC_new: case BC_anewarray: case BC_multianewarray: case BC_checkcast: case BC_instanceof:
		class_op(l, in);
		break;
	case BC_arraylength: case BC_athrow: case BC_monitorenter: case BC_monitorexit:
		object_op(l, op);
		break;
	default:        /* all that is left is in arith.def: iadd .. dcmpg, ifeq .. if_acmpne, ifnull, ifnonnull */
		arith(l, op);
	}
}
