; every kind of instruction and constant, once
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%node = type { i32, ptr, [4 x ptr], { i16, ptr } }
%packed = type <{ i8, ptr }>

@text = private unnamed_addr constant [4 x i8] c"abc\00"
@.str.wide = private unnamed_addr constant [2 x i32] [i32 97, i32 0]
@a = global i32 1
@b = weak global ptr @a
@c = common global i64 0
@outside = external global %node
@table = internal global [2 x %node] [%node { i32 1, ptr @a, [4 x ptr] [ptr @a, ptr null, ptr @text, ptr getelementptr (i8, ptr @table, i64 16)], { i16, ptr } { i16 2, ptr @callee } }, %node zeroinitializer]
@number = global i64 ptrtoint (ptr @a to i64)
@sum = global i64 add (i64 ptrtoint (ptr @a to i64), i64 8)
@relative = constant i32 trunc (i64 sub (i64 ptrtoint (ptr @a to i64), i64 ptrtoint (ptr @relative to i64)) to i32)
@vector = global <2 x ptr> <ptr @a, ptr @b>
@label = global ptr blockaddress(@jumps, %two)
@started = internal global ptr @callee, section ".init_array"
@local_thread = thread_local global ptr null
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @a], section "llvm.metadata"

@other = alias i32, ptr @a
@inner = alias ptr, getelementptr (i8, ptr @table, i64 8)
@again = weak alias ptr (ptr), ptr @callee
@chosen = ifunc ptr (ptr), ptr @resolve

declare i32 @__gxx_personality_v0(...)
declare void @__cxa_throw(ptr, ptr, ptr)
declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare i32 @old()
declare void @variadic(i32, ...)
declare void @llvm.va_start(ptr)
declare void @llvm.va_copy(ptr, ptr)
declare void @llvm.va_end(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare ptr @llvm.ptrmask.p0.i64(ptr, i64)
declare { i64, i1 } @llvm.uadd.with.overflow.i64(i64, i64)
declare <4 x i64> @llvm.masked.load.v4i64.p0(ptr, i32, <4 x i1>, <4 x i64>)
declare void @llvm.masked.store.v4i64.p0(<4 x i64>, ptr, i32, <4 x i1>)
declare <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr>, i32, <2 x i1>, <2 x i64>)
declare void @llvm.masked.scatter.v2i64.v2p0(<2 x i64>, <2 x ptr>, i32, <2 x i1>)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare i64 @llvm.umax.i64(i64, i64)
declare double @llvm.sqrt.f64(double)
declare ptr @llvm.stacksave.p0()
declare void @llvm.init.trampoline(ptr, ptr, ptr)

define internal void @start() {
  call void @old(ptr @a)
  ret void
}

define ptr @callee(ptr %p) {
  ret ptr %p
}

define ptr @resolve() {
  ret ptr @callee
}

define linkonce_odr hidden ptr @memory(i32 %i, ptr %p, i64 %n) {
entry:
  %scalar = alloca ptr
  %taken = alloca ptr
  %node = alloca %node
  %many = alloca %node, i64 %n
  %bytes = alloca i8, i64 %n
  %packed = alloca %packed
  call void @llvm.lifetime.start.p0(i64 8, ptr %scalar)
  store ptr %p, ptr %scalar
  store ptr %taken, ptr %taken
  %v = load ptr, ptr %scalar
  %f = getelementptr inbounds %node, ptr %node, i64 0, i32 1
  store ptr %v, ptr %f
  %e = getelementptr inbounds %node, ptr %node, i64 0, i32 2, i32 %i
  store ptr @a, ptr %e
  %w = getelementptr %node, ptr %many, i64 %n, i32 2, i64 1
  %x = load ptr, ptr %w
  %y = getelementptr i8, ptr %x, i64 %n
  %z = getelementptr %node, ptr %y, i64 -1, i32 3, i32 1
  %whole = load %node, ptr %node
  store %node %whole, ptr %many
  %part = extractvalue %node %whole, 2, 1
  %changed = insertvalue %node %whole, ptr %part, 1
  store %node %changed, ptr @outside
  %pk = load %packed, ptr %packed
  store %packed %pk, ptr %bytes
  %big = load [100 x ptr], ptr %p
  store [100 x ptr] %big, ptr %y
  store { ptr, ptr } { ptr @a, ptr @b }, ptr %z
  %far = getelementptr i8, ptr @table, i64 99999999999
  store ptr null, ptr %far
  %before = getelementptr i8, ptr @table, i64 -8
  store ptr %p, ptr %before
  %old = cmpxchg ptr %p, ptr null, ptr %v seq_cst seq_cst
  %got = atomicrmw xchg ptr %p, i64 %n seq_cst
  %add = atomicrmw add ptr @c, i64 %n monotonic
  %small = atomicrmw add ptr %p, i32 1 monotonic
  fence seq_cst
  call void @llvm.memcpy.p0.p0.i64(ptr %node, ptr %many, i64 40, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %node, ptr %p, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %node, i8 0, i64 40, i1 false)
  %t = call ptr @llvm.threadlocal.address.p0(ptr @local_thread)
  store ptr %p, ptr %t
  %save = call ptr @llvm.stacksave.p0()
  ret ptr %z
}

define i64 @integers(ptr %p, i64 %n, i32 %small) {
  %i = ptrtoint ptr %p to i64
  %1 = add i64 %i, 7
  %2 = and i64 %1, -8
  %3 = or i64 %2, 1
  %4 = xor i64 %3, %n
  %5 = sub i64 %4, %n
  %6 = sub i64 %5, 4
  %7 = mul i64 %6, 3
  %8 = udiv i64 %7, %n
  %9 = urem i64 %8, 10
  %10 = shl i64 %8, 3
  %11 = lshr i64 %10, 3
  %12 = add i64 %11, %n
  %13 = and i64 %12, 7
  %q = inttoptr i64 %12 to ptr
  store ptr %q, ptr %p
  %t = trunc i64 %i to i32
  %half = ptrtoint ptr %p to i32
  %s = add i32 %t, %small
  %z = zext i32 %s to i64
  %o = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %12, i64 %n)
  %ov = extractvalue { i64, i1 } %o, 0
  %m = call i64 @llvm.umax.i64(i64 %ov, i64 %z)
  %mp = call ptr @llvm.ptrmask.p0.i64(ptr %p, i64 -16)
  store i64 %m, ptr %mp
  %d = bitcast i64 %m to double
  %r = call double @llvm.sqrt.f64(double %d)
  %fa = fadd double %r, 1.0
  store double %fa, ptr %p
  %wide = zext i64 %m to i128
  %up = shl i128 %wide, 64
  store i128 %up, ptr %p
  %fz = freeze i64 %m
  ret i64 %fz
}

define <2 x ptr> @vectors(<2 x ptr> %v, ptr %p, <4 x i64> %w, i1 %c) {
  %e = extractelement <2 x ptr> %v, i32 1
  %i = insertelement <2 x ptr> %v, ptr %p, i32 0
  %s = shufflevector <2 x ptr> %v, <2 x ptr> %i, <2 x i32> <i32 0, i32 3>
  %g = getelementptr %node, <2 x ptr> %s, i64 0, i32 1
  store <2 x ptr> %g, ptr %e
  %l = load <2 x ptr>, ptr %e
  %m = call <4 x i64> @llvm.masked.load.v4i64.p0(ptr %p, i32 8, <4 x i1> <i1 1, i1 0, i1 1, i1 0>, <4 x i64> %w)
  call void @llvm.masked.store.v4i64.p0(<4 x i64> %m, ptr %p, i32 8, <4 x i1> <i1 1, i1 0, i1 1, i1 0>)
  %ga = call <2 x i64> @llvm.masked.gather.v2i64.v2p0(<2 x ptr> %v, i32 8, <2 x i1> <i1 1, i1 1>, <2 x i64> undef)
  call void @llvm.masked.scatter.v2i64.v2p0(<2 x i64> %ga, <2 x ptr> %v, i32 8, <2 x i1> <i1 1, i1 1>)
  %x = select i1 %c, <2 x ptr> %l, <2 x ptr> <ptr @a, ptr @b>
  ret <2 x ptr> %x
}

define ptr @jumps(i32 %k, ptr %p) {
entry:
  switch i32 %k, label %one [ i32 1, label %two
                              i32 2, label %late ]
late:
  %use = phi ptr [ %p, %entry ], [ %made, %two ]
  br label %one
one:
  %x = phi ptr [ null, %entry ], [ %use, %late ], [ %made, %two ]
  br i1 undef, label %two, label %three
two:
  %made = getelementptr i8, ptr %p, i64 8
  indirectbr ptr blockaddress(@jumps, %three), [label %three, label %one, label %late]
three:
  %y = phi ptr [ %x, %one ], [ %made, %two ]
  %s = select i1 true, ptr %y, ptr @a
  ret ptr %s
}

define void @byval(ptr sret(%node) %out, ptr byval(%node) %in, ...) {
  %list = alloca [24 x i8]
  %copy = alloca [24 x i8]
  call void @llvm.va_start(ptr %list)
  call void @llvm.va_copy(ptr %copy, ptr %list)
  %v = va_arg ptr %list, ptr
  store ptr %v, ptr %in
  call void @llvm.va_end(ptr %list)
  call void (i32, ...) @variadic(i32 1, ptr byval(%node) %in, ptr %v)
  call void @llvm.memcpy.p0.p0.i64(ptr %out, ptr %in, i64 64, i1 false)
  ret void
}

define ptr @calls(ptr %f, ptr %p) personality ptr @__gxx_personality_v0 {
  %m = call ptr @malloc(i64 16)
  %c = call ptr @calloc(i64 4, i64 16)
  store ptr %m, ptr %c
  %i = call ptr %f(ptr %p, ptr %c)
  %ch = call ptr @chosen(ptr %i)
  %ag = call ptr @again(ptr %ch)
  call void asm sideeffect "xchg $0, $1", "=*m,r,~{memory}"(ptr elementtype(i64) %p, ptr %i)
  %as = call ptr asm "mov $1, $0", "=r,r"(ptr %p)
  call void @llvm.init.trampoline(ptr %as, ptr @callee, ptr %p)
  callbr void asm sideeffect "", "r,!i"(ptr %p) to label %go [label %go]
go:
  %in = invoke ptr @callee(ptr %as) to label %ok unwind label %bad
ok:
  call void @__cxa_throw(ptr %in, ptr null, ptr null)
  unreachable
bad:
  %pad = landingpad { ptr, i32 } cleanup catch ptr null
  %ex = extractvalue { ptr, i32 } %pad, 0
  store ptr %ex, ptr @b
  resume { ptr, i32 } %pad
}
