// SPDX-License-Identifier: Apache-2.0
// links: base cir bitcode
/* test_bitcode_types.c - sizes, layouts and GEPs of LLVM types; names, layouts, places and hints of debug information. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <llvm-c/IRReader.h>
#include <llvm/Config/llvm-config.h>

#include "base/strbuf.h"
#include "bitcode/bitcode_p.h"

#if LLVM_VERSION_MAJOR >= 15
#define PTR(type) "ptr"
#else
#define PTR(type) type "*"
#endif

struct fixture {
	LLVMContextRef context;
	LLVMModuleRef module;
	struct cprogram p;
	struct types *t;
	struct debug *d;
};

static void start(struct fixture *f, const char *text)
{
	LLVMMemoryBufferRef b = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test");
	char *message = NULL;

	f->context = LLVMContextCreate();
	if (LLVMParseIRInContext(f->context, b, &f->module, &message))
		fail_msg("%s", message);
#if LLVM_VERSION_MAJOR >= 19
	LLVMSetIsNewDbgInfoFormat(f->module, 0);
#endif
	cprogram_init(&f->p);
	f->t = types_new(&f->p, f->module);
	f->d = debug_new(&f->p, f->t, f->module);
}

static void end(struct fixture *f)
{
	const char *reason = "";

	if (!cir_check(&f->p, &reason))
		fail_msg("%s", reason);
	debug_free(f->d);
	types_free(f->t);
	cprogram_release(&f->p);
	LLVMDisposeModule(f->module);
	LLVMContextDispose(f->context);
}

static LLVMTypeRef type_of(struct fixture *f, const char *global)
{
	LLVMValueRef g = LLVMGetNamedGlobal(f->module, global);

	assert_non_null(g);
	return LLVMGlobalGetValueType(g);
}

/* 4 for a scalar, [3 x 4], s:12{0 a 4, 8 b 4} */
static void add_layout(const struct cprogram *p, clayout_id id, struct strbuf *out)
{
	const struct clayout *l = &p->layouts.data[id.i];

	if (!id.i) {
		strbuf_adds(out, "none");
	} else if (l->kind == CLAYOUT_SCALAR) {
		strbuf_addf(out, "%u", (unsigned)l->size);
	} else if (l->kind == CLAYOUT_ARRAY) {
		assert_int_equal(l->size, l->count * p->layouts.data[l->elem.i].size);
		strbuf_addf(out, "[%u x ", (unsigned)l->count);
		add_layout(p, l->elem, out);
		strbuf_adds(out, "]");
	} else {
		strbuf_addf(out, "%s:%u{", interned(&p->names, l->name).p, (unsigned)l->size);
		for (uint32_t i = 0; i < l->nfields; i++) {
			const struct cfield *f = &p->fields.data[l->first + i];

			strbuf_addf(out, "%s%u %s ", i ? ", " : "", (unsigned)f->offset, interned(&p->names, f->name).p);
			add_layout(p, f->layout, out);
		}
		strbuf_adds(out, "}");
	}
}

static void expect_layout(const struct cprogram *p, clayout_id l, const char *want)
{
	struct strbuf out = { 0 };

	add_layout(p, l, &out);
	assert_string_equal(out.s, want);
	strbuf_release(&out);
}

static void expect_name(const struct cprogram *p, str_id s, const char *want)
{
	assert_string_equal(interned(&p->names, s).p, want);
}

/* "name file:line" */
static void expect_var(const struct fixture *f, struct source_var v, const char *want)
{
	const struct cloc *l = &f->p.locs.data[v.loc.i];
	char text[100];

	snprintf(text, sizeof(text), "%s %s:%u", interned(&f->p.names, v.name).p, interned(&f->p.names, l->file).p, (unsigned)l->line);
	assert_string_equal(text, want);
}

/* Types. */

#define LAYOUT64 "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128\"\n"

static const char types_text[] = LAYOUT64
	"%opaque = type opaque\n"
	"%empty = type {}\n"
	"%pair = type { i8, i64 }\n"
	"%packed = type <{ i8, i64 }>\n"
	"%flex = type { i32, [0 x %pair] }\n"
	"%holes = type { %empty, i32, [0 x i32], i16, [0 x %empty] }\n"
	"@pair = global %pair zeroinitializer\n"
	"@packed = global %packed zeroinitializer\n"
	"@table = global [2 x [3 x %pair]] zeroinitializer\n"
	"@flex = global %flex zeroinitializer\n"
	"@holes = global %holes zeroinitializer\n"
	"@empties = global [5 x %empty] zeroinitializer\n"
	"@vector = global <3 x i32> zeroinitializer\n"
	"@odd = global { i24, i1, x86_fp80 } zeroinitializer\n"
	"%union.u = type { { i8, <4 x i32> } }\n"
	"@hidden = global { %union.u } zeroinitializer\n"
	"%union.v = type { %pair }\n"
	"@indexed = global { %union.v, i8 } zeroinitializer\n"
	"@outside = external global %opaque\n"
	"@open = external global [0 x i32]\n";

static void expect_type(struct fixture *f, const char *global, uint64_t size, const char *layout)
{
	assert_int_equal(types_size(f->t, type_of(f, global)), size);
	expect_layout(&f->p, types_layout(f->t, type_of(f, global)), layout);
	assert_int_equal(types_layout(f->t, type_of(f, global)).i, types_layout(f->t, type_of(f, global)).i);
}

static void types_have_sizes_and_layouts(void **state)
{
	struct fixture f;
	(void)state;

	start(&f, types_text);
	expect_type(&f, "pair", 16, "pair:16{0  1, 8  8}");
	expect_type(&f, "packed", 9, "packed:9{0  1, 1  8}");
	expect_type(&f, "table", 96, "[2 x [3 x pair:16{0  1, 8  8}]]");
	expect_type(&f, "flex", 8, "flex:8{0  4, 8  [0 x pair:16{0  1, 8  8}]}");
	expect_type(&f, "holes", 8, "holes:8{0  4, 4  2}");
	expect_type(&f, "empties", 0, ":0{}");
	expect_type(&f, "vector", 16, "[16 x 1]");
	expect_type(&f, "odd", 32, ":32{0  4, 4  1, 16  [16 x 1]}");
	expect_type(&f, "hidden", 32, ":32{0  [32 x 1]}");               /* a pointer may be in the padding */
	expect_type(&f, "indexed", 24, ":24{0  [16 x 1], 16  1}");       /* another member may be an array */
	expect_type(&f, "outside", 0, "none");
	expect_type(&f, "open", 0, "[0 x 4]");
	assert_int_equal(types_field_offset(f.t, type_of(&f, "pair"), 1), 8);
	assert_int_equal(types_field_offset(f.t, type_of(&f, "pair"), 7), 0);
	assert_int_equal(types_size(f.t, LLVMScalableVectorType(LLVMInt32TypeInContext(f.context), 4)), 0);
	assert_int_equal(types_size(f.t, LLVMVoidTypeInContext(f.context)), 0);
	assert_false(debug_is_there(f.d));
	assert_int_equal(debug_global(f.d, LLVMGetNamedGlobal(f.module, "pair")).name.i, 0);
	end(&f);
}

static LLVMTypeRef nested(LLVMContextRef c, uint32_t depth, uint32_t count)
{
	LLVMTypeRef t = LLVMInt8TypeInContext(c);

	for (uint32_t i = 0; i < depth; i++)
		t = i % 2 ? LLVMStructTypeInContext(c, &t, 1, 0) : LLVMArrayType(t, count);
	return t;
}

static void hostile_types_end(void **state)
{
	struct fixture f;
	(void)state;

	start(&f, types_text);
	expect_layout(&f.p, types_layout(f.t, nested(f.context, 300, 1)), "1");          /* too deep to be looked into */
	assert_int_equal(types_size(f.t, nested(f.context, 300, 1)), 1);
	assert_int_equal(types_size(f.t, nested(f.context, 200000, 1)), 0);
	assert_int_equal(types_layout(f.t, nested(f.context, 200000, 1)).i, 0);
	assert_int_equal(types_size(f.t, nested(f.context, 9, 0xffffffff)), 0);          /* would wrap around */
	assert_int_equal(types_size(f.t, nested(f.context, 1, 0xffffffff)), 0xffffffff);
	end(&f);
}

/* GEPs. */

static const char geps_text[] = LAYOUT64
	"%pair = type { i8, i64 }\n"
	"%outer = type { i32, [4 x %pair], i16 }\n"
	"define void @f(" PTR("%outer") " %p, " PTR("i8") " %b, i64 %i, <2 x i64> %v) {\n"
	"  %1 = getelementptr %outer, " PTR("%outer") " %p, i64 0, i32 2\n"
	"  %2 = getelementptr %outer, " PTR("%outer") " %p, i64 0, i32 1, i64 %i, i32 1\n"
	"  %3 = getelementptr %outer, " PTR("%outer") " %p, i64 -1, i32 2\n"
	"  %4 = getelementptr %outer, " PTR("%outer") " %p, i64 %i\n"
	"  %5 = getelementptr i8, " PTR("i8") " %b, i64 %i\n"
	"  %6 = getelementptr i8, " PTR("i8") " %b, i64 -5\n"
	"  %7 = getelementptr %outer, " PTR("%outer") " %p, i64 %i, i32 1, i64 %i\n"
	"  %8 = getelementptr %outer, " PTR("%outer") " %p, <2 x i64> %v, <2 x i32> <i32 2, i32 2>\n"
	"  %9 = getelementptr %outer, " PTR("%outer") " %p, <2 x i64> zeroinitializer, <2 x i32> <i32 2, i32 2>\n"
	"  %10 = getelementptr <vscale x 4 x i32>, " PTR("<vscale x 4 x i32>") " null, i64 3\n"
	"  %11 = getelementptr [4 x %pair], " PTR("[4 x %pair]") " null, i64 0, i64 %i, i32 1\n"
	"  ret void\n"
	"}\n";

static const struct gep geps[] = {
	{ NULL, 72, 0, false, 0, 0, true },
	{ NULL, 16, 16, false, 0, 0, true },
	{ NULL, -80, 0, true, 72, 0, true },
	{ NULL, 0, 80, true, 0, 0, false },
	{ NULL, 0, 1, false, 0, 0, false },
	{ NULL, -5, 0, false, 0, 0, true },
	{ NULL, 0, 80, true, 8, 16, false },
	{ NULL, 0, 80, true, 72, 0, false },
	{ NULL, 72, 0, false, 0, 0, true },
	{ NULL, 3, 0, false, 0, 0, true },
	{ NULL, 8, 16, false, 0, 0, true },
};

static void geps_are_offsets(void **state)
{
	struct fixture f;
	LLVMValueRef i;
	(void)state;

	start(&f, geps_text);
	i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(LLVMGetNamedFunction(f.module, "f")));
	for (size_t k = 0; k < sizeof(geps) / sizeof(geps[0]); k++, i = LLVMGetNextInstruction(i)) {
		struct gep g = types_gep(f.t, i);

		assert_ptr_equal(g.base, LLVMGetOperand(i, 0));
		assert_int_equal(g.off, geps[k].off);
		assert_int_equal(g.stride, geps[k].stride);
		assert_int_equal(g.elements, geps[k].elements);
		assert_int_equal(g.inner, geps[k].inner);
		assert_int_equal(g.inner_stride, geps[k].inner_stride);
		assert_int_equal(g.in_array, geps[k].in_array);
	}
	end(&f);
}

/* Debug information: struct s { struct s *next; int f1 : 3, f2 : 7; struct { int x; union { long y; char z; }; };
 * const struct in arr[2][3]; anon_t t; char flex[]; } with struct in { char c; char *b; }. */

#define NODES                                                                                                      \
	"!llvm.dbg.cu = !{!0}\n"                                                                                   \
	"!llvm.module.flags = !{!1, !2}\n"                                                                         \
	"!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !3, emissionKind: FullDebug)\n"                 \
	"!1 = !{i32 2, !\"Dwarf Version\", i32 4}\n"                                                               \
	"!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"                                                          \
	"!3 = !DIFile(filename: \"a.c\", directory: \"/src\")\n"                                                   \
	"!4 = !DIBasicType(name: \"int\", size: 32, encoding: DW_ATE_signed)\n"                                    \
	"!5 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)\n"                               \
	"!6 = !DIBasicType(name: \"long\", size: 64, encoding: DW_ATE_signed)\n"                                   \
	"!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5, size: 64)\n"                                  \
	"!8 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)\n"                                \
	"!9 = !{}\n"                                                                                               \
	"!10 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"s\", file: !3, line: 3, size: 1088, elements: !11)\n" \
	"!11 = !{!12, !14, !15, !16, !30, !40, !50}\n"                                                             \
	"!12 = !DIDerivedType(tag: DW_TAG_member, name: \"next\", scope: !10, baseType: !13, size: 64)\n"          \
	"!13 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !10, size: 64)\n"                                \
	"!14 = !DIDerivedType(tag: DW_TAG_member, name: \"f1\", scope: !10, baseType: !4, size: 3, offset: 64, flags: DIFlagBitField, extraData: i64 64)\n" \
	"!15 = !DIDerivedType(tag: DW_TAG_member, name: \"f2\", scope: !10, baseType: !4, size: 7, offset: 67, flags: DIFlagBitField, extraData: i64 64)\n" \
	"!16 = !DIDerivedType(tag: DW_TAG_member, scope: !10, baseType: !17, size: 128, offset: 128)\n"            \
	"!17 = distinct !DICompositeType(tag: DW_TAG_structure_type, scope: !10, size: 128, elements: !18)\n"      \
	"!18 = !{!19, !20}\n"                                                                                      \
	"!19 = !DIDerivedType(tag: DW_TAG_member, name: \"x\", scope: !17, baseType: !4, size: 32)\n"              \
	"!20 = !DIDerivedType(tag: DW_TAG_member, scope: !17, baseType: !21, size: 64, offset: 64)\n"              \
	"!21 = distinct !DICompositeType(tag: DW_TAG_union_type, scope: !17, size: 64, elements: !22)\n"           \
	"!22 = !{!23, !24}\n"                                                                                      \
	"!23 = !DIDerivedType(tag: DW_TAG_member, name: \"z\", scope: !21, baseType: !5, size: 8)\n"               \
	"!24 = !DIDerivedType(tag: DW_TAG_member, name: \"y\", scope: !21, baseType: !6, size: 64)\n"              \
	"!30 = !DIDerivedType(tag: DW_TAG_member, name: \"arr\", scope: !10, baseType: !31, size: 768, offset: 256)\n" \
	"!31 = !DICompositeType(tag: DW_TAG_array_type, baseType: !32, size: 768, elements: !33)\n"                \
	"!32 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !36)\n"                                            \
	"!33 = !{!34, !35}\n"                                                                                      \
	"!34 = !DISubrange(count: 2)\n"                                                                            \
	"!35 = !DISubrange(count: 3)\n"                                                                            \
	"!36 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"in\", size: 128, elements: !37)\n"    \
	"!37 = !{!38, !39}\n"                                                                                      \
	"!38 = !DIDerivedType(tag: DW_TAG_member, name: \"c\", scope: !36, baseType: !5, size: 8)\n"               \
	"!39 = !DIDerivedType(tag: DW_TAG_member, name: \"b\", scope: !36, baseType: !7, size: 64, offset: 64)\n"  \
	"!40 = !DIDerivedType(tag: DW_TAG_member, name: \"t\", scope: !10, baseType: !41, size: 32, offset: 1024)\n" \
	"!41 = !DIDerivedType(tag: DW_TAG_typedef, name: \"anon_t\", baseType: !42)\n"                             \
	"!42 = distinct !DICompositeType(tag: DW_TAG_structure_type, size: 32, elements: !43)\n"                   \
	"!43 = !{!44}\n"                                                                                           \
	"!44 = !DIDerivedType(tag: DW_TAG_member, name: \"q\", scope: !42, baseType: !4, size: 32)\n"              \
	"!50 = !DIDerivedType(tag: DW_TAG_member, name: \"flex\", scope: !10, baseType: !51, offset: 1056)\n"      \
	"!51 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, elements: !52)\n"                            \
	"!52 = !{!53}\n"                                                                                           \
	"!53 = !DISubrange(count: -1)\n"                                                                           \
	"!60 = distinct !DISubprogram(name: \"make\", scope: !3, file: !3, line: 20, type: !61, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !9)\n" \
	"!61 = !DISubroutineType(types: !62)\n"                                                                    \
	"!62 = !{!13, !4}\n"                                                                                       \
	"!63 = distinct !DILexicalBlock(scope: !60, file: !3, line: 21)\n"                                         \
	"!64 = !DILocation(line: 22, column: 7, scope: !63)\n"                                                     \
	"!65 = distinct !DISubprogram(name: \"plain\", scope: !3, file: !3, line: 30, type: !66, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !9)\n" \
	"!66 = !DISubroutineType(types: !67)\n"                                                                    \
	"!67 = !{!8, !4}\n"                                                                                        \
	"!68 = !DILocation(line: 31, column: 3, scope: !65)\n"

#define S_LAYOUT "s:136{0 next 8, 8 f1..f2 2, 16  :16{0 x 4, 8  8}, 32 arr [2 x [3 x in:16{0 c 1, 8 b 8}]], 128 t anon_t:4{0 q 4}, " \
		 "132 flex [0 x 1]}"

#define S_TYPES                                                                                                    \
	LAYOUT64 "%struct.s = type { " PTR("%struct.s") ", i16, %struct.anon, [2 x [3 x %struct.in]], i32, [0 x i8] }\n" \
	"%struct.anon = type { i32, i64 }\n"                                                                       \
	"%struct.in = type { i8, " PTR("i8") " }\n"

static const char globals_text[] = S_TYPES
	"@g = global %struct.s zeroinitializer, !dbg !100\n"
	"@make.last = internal global " PTR("%struct.s") " null, !dbg !102\n"
	"@wrong = global [3 x i64] zeroinitializer, !dbg !104\n"
	"@text = global " PTR("i8") " null, !dbg !106\n"
	"@bad = global [4 x i8] zeroinitializer, !dbg !108\n"
	"@silent = global i32 0\n"
	"define void @make() !dbg !60 {\n  ret void, !dbg !64\n}\n"
	NODES
	"!100 = !DIGlobalVariableExpression(var: !101, expr: !DIExpression())\n"
	"!101 = distinct !DIGlobalVariable(name: \"g\", scope: !0, file: !3, line: 7, type: !10, isLocal: false, isDefinition: true)\n"
	"!102 = !DIGlobalVariableExpression(var: !103, expr: !DIExpression())\n"
	"!103 = distinct !DIGlobalVariable(name: \"last\", scope: !63, file: !3, line: 9, type: !13, isLocal: true, isDefinition: true)\n"
	"!104 = !DIGlobalVariableExpression(var: !105, expr: !DIExpression())\n"
	"!105 = distinct !DIGlobalVariable(name: \"wrong\", scope: !0, file: !3, line: 10, type: !10, isLocal: false, isDefinition: true)\n"
	"!106 = !DIGlobalVariableExpression(var: !107, expr: !DIExpression())\n"
	"!107 = distinct !DIGlobalVariable(name: \"text\", scope: !0, file: !3, line: 11, type: !7, isLocal: false, isDefinition: true)\n"
	"!108 = !DIGlobalVariableExpression(var: !109, expr: !DIExpression())\n"
	"!109 = distinct !DIGlobalVariable(name: \"bad\", scope: !0, file: !3, line: 12, type: !110, isLocal: false, isDefinition: true)\n"
	"!110 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"bad\", size: 32, elements: !111)\n"
	"!111 = !{!112, !113}\n"
	"!112 = !DIDerivedType(tag: DW_TAG_member, name: \"self\", scope: !110, baseType: !110, size: 32)\n"
	"!113 = !DIDerivedType(tag: DW_TAG_member, name: \"far\", scope: !110, baseType: !4, size: 32, offset: 640)\n";

static struct source_var global(struct fixture *f, const char *name)
{
	return debug_global(f->d, LLVMGetNamedGlobal(f->module, name));
}

static void globals_have_names_and_layouts(void **state)
{
	struct fixture f;
	struct source_var v;
	(void)state;

	start(&f, globals_text);
	assert_true(debug_is_there(f.d));
	v = global(&f, "g");
	expect_var(&f, v, "g a.c:7");
	expect_layout(&f.p, v.layout, S_LAYOUT);
	assert_int_equal(v.pointee.i, 0);
	assert_null(v.function);
	v = global(&f, "make.last");
	expect_var(&f, v, "last a.c:9");
	expect_layout(&f.p, v.layout, "8");
	expect_layout(&f.p, v.pointee, S_LAYOUT);
	assert_ptr_equal(v.function, LLVMGetNamedFunction(f.module, "make"));
	end(&f);
}

static void doubtful_types_have_no_layout(void **state)
{
	struct fixture f;
	(void)state;

	start(&f, globals_text);
	expect_var(&f, global(&f, "wrong"), "wrong a.c:10");
	assert_int_equal(global(&f, "wrong").layout.i, 0);               /* not the size that it has in memory */
	assert_int_equal(global(&f, "text").pointee.i, 0);               /* bytes may be anything */
	expect_layout(&f.p, global(&f, "bad").layout, "4");              /* in itself, and beyond its end */
	assert_int_equal(global(&f, "silent").name.i, 0);
	end(&f);
}

/* Unions of two structs of 16 bytes: !120 { long n; char *p; }, !121 { char c; } with padding, !122 { char c; char *p; } packed. */

#define UNION(node, name, a, b)                                                                                    \
	#node " = distinct !DICompositeType(tag: DW_TAG_union_type, name: \"" name "\", size: 128, elements: !{" #a ", " #b "})\n"

static const char unions_text[] = LAYOUT64
	"@clear = global [16 x i8] zeroinitializer, !dbg !100\n"
	"@packed = global [16 x i8] zeroinitializer, !dbg !102\n"
	"@wide = global [16 x i8] zeroinitializer, !dbg !104\n"
	"@indexed = global [16 x i8] zeroinitializer, !dbg !106\n"
	"@bytes = global [16 x i8] zeroinitializer, !dbg !108\n"
	NODES
	"!106 = !DIGlobalVariableExpression(var: !107, expr: !DIExpression())\n"
	"!107 = distinct !DIGlobalVariable(name: \"indexed\", scope: !0, file: !3, line: 10, type: !133, isLocal: false, isDefinition: true)\n"
	"!108 = !DIGlobalVariableExpression(var: !109, expr: !DIExpression())\n"
	"!109 = distinct !DIGlobalVariable(name: \"bytes\", scope: !0, file: !3, line: 11, type: !134, isLocal: false, isDefinition: true)\n"
	"!124 = !DICompositeType(tag: DW_TAG_array_type, baseType: !6, size: 128, elements: !{!126})\n"
	"!125 = !DICompositeType(tag: DW_TAG_array_type, baseType: !5, size: 128, elements: !{!127})\n"
	"!126 = !DISubrange(count: 2)\n"
	"!127 = !DISubrange(count: 16)\n"
	UNION(!133, "indexed", !151, !154)
	UNION(!134, "bytes", !151, !155)
	"!154 = !DIDerivedType(tag: DW_TAG_member, name: \"indexed\", scope: !133, baseType: !124, size: 128)\n"
	"!155 = !DIDerivedType(tag: DW_TAG_member, name: \"bytes\", scope: !134, baseType: !125, size: 128)\n"
	"!100 = !DIGlobalVariableExpression(var: !101, expr: !DIExpression())\n"
	"!101 = distinct !DIGlobalVariable(name: \"clear\", scope: !0, file: !3, line: 7, type: !130, isLocal: false, isDefinition: true)\n"
	"!102 = !DIGlobalVariableExpression(var: !103, expr: !DIExpression())\n"
	"!103 = distinct !DIGlobalVariable(name: \"packed\", scope: !0, file: !3, line: 8, type: !131, isLocal: false, isDefinition: true)\n"
	"!104 = !DIGlobalVariableExpression(var: !105, expr: !DIExpression())\n"
	"!105 = distinct !DIGlobalVariable(name: \"wide\", scope: !0, file: !3, line: 9, type: !132, isLocal: false, isDefinition: true)\n"
	"!120 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"two\", size: 128, elements: !{!140, !141})\n"
	"!121 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"gap\", size: 128, elements: !{!142})\n"
	"!122 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: \"tight\", size: 72, elements: !{!142, !143})\n"
	"!123 = !DIBasicType(name: \"long double\", size: 128, encoding: DW_ATE_float)\n"
	UNION(!130, "clear", !150, !151)
	UNION(!131, "packed", !151, !152)
	UNION(!132, "wide", !153, !151)
	"!140 = !DIDerivedType(tag: DW_TAG_member, name: \"n\", scope: !120, baseType: !6, size: 64)\n"
	"!141 = !DIDerivedType(tag: DW_TAG_member, name: \"p\", scope: !120, baseType: !7, size: 64, offset: 64)\n"
	"!142 = !DIDerivedType(tag: DW_TAG_member, name: \"c\", scope: !121, baseType: !5, size: 8)\n"
	"!143 = !DIDerivedType(tag: DW_TAG_member, name: \"p\", scope: !122, baseType: !7, size: 64, offset: 8)\n"
	"!150 = !DIDerivedType(tag: DW_TAG_member, name: \"gap\", scope: !130, baseType: !121, size: 128)\n"
	"!151 = !DIDerivedType(tag: DW_TAG_member, name: \"two\", scope: !130, baseType: !120, size: 128)\n"
	"!152 = !DIDerivedType(tag: DW_TAG_member, name: \"tight\", scope: !131, baseType: !122, size: 72)\n"
	"!153 = !DIDerivedType(tag: DW_TAG_member, name: \"wide\", scope: !132, baseType: !123, size: 128)\n";

/* No pointer of a member may be in the middle of another's cell, but in an array's. */
static void unions_hide_no_pointers(void **state)
{
	struct fixture f;
	(void)state;

	start(&f, unions_text);
	expect_layout(&f.p, global(&f, "clear").layout, "two:16{0 n 8, 8 p 8}");
	expect_layout(&f.p, global(&f, "packed").layout, "[16 x 1]");
	expect_layout(&f.p, global(&f, "wide").layout, "[16 x 1]");
	expect_layout(&f.p, global(&f, "indexed").layout, "[16 x 1]");           /* an index over longs is one over n and p */
	expect_layout(&f.p, global(&f, "bytes").layout, "two:16{0 n 8, 8 p 8}");
	end(&f);
}

/* Locals, parameters and hints: one allocation a line. */

static const char bodies_text[] = S_TYPES
	"%struct.other = type { i32, i32 }\n"
	"declare " PTR("i8") " @alloc()\n"
	"declare " PTR("%struct.other") " @sized(i64)\n"
	"declare void @llvm.dbg.declare(metadata, metadata, metadata)\n"
	"declare void @llvm.dbg.value(metadata, metadata, metadata)\n"
	"define " PTR("i8") " @make(i32 %0, i32 %k) !dbg !60 {\n"
	"  %n = alloca i32\n"
	"  %x = alloca %struct.in\n"
	"  %p = alloca " PTR("i8") "\n"
	"  %v = alloca " PTR("i8") "\n"
	"  store i32 %0, " PTR("i32") " %n\n"
	"  call void @llvm.dbg.declare(metadata " PTR("i32") " %n, metadata !70, metadata !DIExpression()), !dbg !64\n"
	"  call void @llvm.dbg.declare(metadata " PTR("%struct.in") " %x, metadata !71, metadata !DIExpression()), !dbg !64\n"
	"  call void @llvm.dbg.declare(metadata " PTR("i8*") " %p, metadata !72, metadata !DIExpression()), !dbg !64\n"
	"  call void @llvm.dbg.declare(metadata " PTR("i8*") " %v, metadata !73, metadata !DIExpression()), !dbg !64\n"
	"  call void @llvm.dbg.value(metadata i32 %k, metadata !74, metadata !DIExpression()), !dbg !64\n"
	"  %local = call " PTR("i8") " @alloc(), !dbg !64\n"
	"  store " PTR("i8") " %local, " PTR("i8*") " %p\n"
	"  %bytes = call " PTR("i8") " @alloc(), !dbg !64\n"
	"  %at = getelementptr %struct.in, " PTR("%struct.in") " %x, i32 0, i32 1\n"
	"  store " PTR("i8") " %bytes, " PTR("i8*") " %at\n"
	"  %stack = alloca i8, i32 %k\n"
	"  store " PTR("i8") " %stack, " PTR("i8*") " %p\n"
	"  %unused = alloca i8, i32 %k\n"
	"  %returned = call " PTR("i8") " @alloc()\n"
	"  ret " PTR("i8") " %returned\n"
	"}\n"
	"define " PTR("i8") " @plain(" PTR("%struct.s") " %q) !dbg !65 {\n"
	"  call void @llvm.dbg.value(metadata " PTR("%struct.s") " %q, metadata !75, metadata !DIExpression()), !dbg !68\n"
	"  %next = getelementptr %struct.s, " PTR("%struct.s") " %q, i64 1, i32 0\n"
	"  %field = call " PTR("%struct.s") " bitcast (" PTR("i8* ()") " @alloc to " PTR("%struct.s* ()") ")()\n"
	"  store " PTR("%struct.s") " %field, " PTR("%struct.s*") " %next\n"
	"  %gep = call " PTR("%struct.other") " bitcast (" PTR("i8* ()") " @alloc to " PTR("%struct.other* ()") ")()\n"
	"  %second = getelementptr %struct.other, " PTR("%struct.other") " %gep, i32 0, i32 1\n"
	"  store i32 3, " PTR("i32") " %second\n"
	"  %len = ptrtoint " PTR("%struct.s") " %q to i64\n"
	"  %sum = add i64 %len, 8\n"
	"  %more = call " PTR("%struct.other") " @sized(i64 %sum)\n"
	"  %third = getelementptr %struct.other, " PTR("%struct.other") " %more, i32 0, i32 1\n"
	"  %many = shl i64 %len, 3\n"
	"  %all = add i64 %many, 16\n"
	"  %rows = call " PTR("%struct.other") " @sized(i64 %all)\n"
	"  %fourth = getelementptr %struct.other, " PTR("%struct.other") " %rows, i32 0, i32 1\n"
	"  %made = call " PTR("i8") " @make(i32 0, i32 0), !dbg !68\n"
	"  %generic = call " PTR("i8") " @alloc()\n"
	"  ret " PTR("i8") " %generic\n"
	"}\n"
	NODES
	"!70 = !DILocalVariable(name: \"n\", arg: 1, scope: !60, file: !3, line: 20, type: !4)\n"
	"!71 = !DILocalVariable(name: \"x\", scope: !60, file: !3, line: 23, type: !36)\n"
	"!72 = !DILocalVariable(name: \"p\", scope: !60, file: !3, line: 24, type: !13)\n"
	"!73 = !DILocalVariable(name: \"v\", scope: !60, file: !3, line: 25, type: !8)\n"
	"!74 = !DILocalVariable(name: \"k\", arg: 2, scope: !60, file: !3, line: 20, type: !4)\n"
	"!75 = !DILocalVariable(name: \"q\", arg: 1, scope: !65, file: !3, line: 30, type: !13)\n";

/* The instruction of a function by its name. */
static LLVMValueRef instruction(struct fixture *f, const char *function, const char *name)
{
	LLVMValueRef fn = LLVMGetNamedFunction(f->module, function);

	for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetFirstBasicBlock(fn)); i; i = LLVMGetNextInstruction(i)) {
		size_t len;

		if (strcmp(LLVMGetValueName2(i, &len), name) == 0)
			return i;
	}
	fail_msg("no %s", name);
	return NULL;
}

static void locals_have_names_and_layouts(void **state)
{
	struct fixture f;
	struct source_var v;
	const struct cloc *l;
	(void)state;

	start(&f, bodies_text);
	debug_enter(f.d, LLVMGetNamedFunction(f.module, "make"));
	expect_var(&f, debug_param(f.d, 0), "n a.c:20");                 /* by the variable that it is stored to */
	expect_var(&f, debug_param(f.d, 1), "k a.c:20");                 /* by its value */
	assert_int_equal(debug_param(f.d, 2).name.i, 0);
	v = debug_local(f.d, instruction(&f, "make", "x"));
	expect_var(&f, v, "x a.c:23");
	expect_layout(&f.p, v.layout, "in:16{0 c 1, 8 b 8}");
	v = debug_local(f.d, instruction(&f, "make", "p"));
	expect_layout(&f.p, v.layout, "8");
	expect_layout(&f.p, v.pointee, S_LAYOUT);
	assert_int_equal(debug_local(f.d, instruction(&f, "make", "v")).pointee.i, 0);
	l = &f.p.locs.data[debug_loc(f.d, instruction(&f, "make", "local")).i];
	expect_name(&f.p, l->file, "a.c");
	assert_int_equal(l->line, 22);
	assert_int_equal(l->column, 7);
	assert_int_equal(debug_loc(f.d, instruction(&f, "make", "x")).i, 0);
	assert_int_equal(f.p.locs.data[debug_function_loc(f.d, LLVMGetNamedFunction(f.module, "plain")).i].line, 30);
	end(&f);
}

static void expect_hint(struct fixture *f, const char *function, const char *call, const char *want)
{
	expect_layout(&f->p, debug_hint(f->d, instruction(f, function, call)), want);
}

static void memory_is_hinted(void **state)
{
	struct fixture f;
	(void)state;

	start(&f, bodies_text);
	expect_hint(&f, "make", "local", S_LAYOUT);
	expect_hint(&f, "make", "bytes", "none");
	expect_hint(&f, "make", "returned", S_LAYOUT);
	expect_hint(&f, "make", "stack", S_LAYOUT);
	expect_hint(&f, "make", "unused", "none");
	expect_hint(&f, "plain", "field", S_LAYOUT);
	expect_hint(&f, "plain", "gep", "struct.other:8{0  4, 4  4}");
	expect_hint(&f, "plain", "more", "none");                        /* something of another size is behind it */
	expect_hint(&f, "plain", "rows", "struct.other:8{0  4, 4  4}");
	expect_hint(&f, "plain", "made", S_LAYOUT);                      /* by what the callee returns */
	expect_hint(&f, "plain", "generic", "none");
	end(&f);
}

/* Each of these types has twice the cells of the one before. */
static void what_has_many_cells_is_one(void **state)
{
	struct strbuf text = { 0 };
	struct fixture f;
	(void)state;

	strbuf_adds(&text, LAYOUT64 "%t0 = type { i64, i64 }\n");
	for (unsigned i = 1; i <= 20; i++)
		strbuf_addf(&text, "%%t%u = type { %%t%u, %%t%u }\n", i, i - 1, i - 1);
	strbuf_adds(&text, "@some = global %t13 zeroinitializer\n@many = global %t14 zeroinitializer\n@more = global %t15 zeroinitializer\n");
	start(&f, text.s);
	clayout_id some = types_layout(f.t, type_of(&f, "some")), many = types_layout(f.t, type_of(&f, "many"));
	clayout_id more = types_layout(f.t, type_of(&f, "more"));

	assert_int_equal(clayout_cell(&f.p, some, 8), 8);
	assert_int_equal(clayout_cell(&f.p, many, 8), 0);
	assert_int_equal(clayout_cell(&f.p, more, 8), 0);                /* its halves are two */
	assert_int_equal(clayout_cell(&f.p, more, ((uint64_t)16 << 14) + 8), (uint64_t)16 << 14);
	end(&f);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_have_sizes_and_layouts),
		cmocka_unit_test(hostile_types_end),
		cmocka_unit_test(geps_are_offsets),
		cmocka_unit_test(globals_have_names_and_layouts),
		cmocka_unit_test(doubtful_types_have_no_layout),
		cmocka_unit_test(unions_hide_no_pointers),
		cmocka_unit_test(locals_have_names_and_layouts),
		cmocka_unit_test(memory_is_hinted),
		cmocka_unit_test(what_has_many_cells_is_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
