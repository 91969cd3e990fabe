; ModuleID = 'main.c'
source_filename = "main.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.totals = type { i32, i32, ptr }
%struct.event = type { ptr, ptr, ptr }

@stdout = external global ptr, align 8
@.str = private unnamed_addr constant [4 x i8] c"one\00", align 1, !dbg !0
@.str.1 = private unnamed_addr constant [4 x i8] c"two\00", align 1, !dbg !7
@.str.2 = private unnamed_addr constant [4 x i8] c"%s\0A\00", align 1, !dbg !9

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @main(i32 noundef %argc, ptr noundef %argv) #0 !dbg !23 {
entry:
  %retval = alloca i32, align 4
  %argc.addr = alloca i32, align 4
  %argv.addr = alloca ptr, align 8
  %t = alloca %struct.totals, align 8
  %one = alloca i32, align 4
  %two = alloca i32, align 4
  store i32 0, ptr %retval, align 4
  store i32 %argc, ptr %argc.addr, align 4
    #dbg_declare(ptr %argc.addr, !30, !DIExpression(), !31)
  store ptr %argv, ptr %argv.addr, align 8
    #dbg_declare(ptr %argv.addr, !32, !DIExpression(), !33)
    #dbg_declare(ptr %t, !34, !DIExpression(), !41)
  call void @llvm.memset.p0.i64(ptr align 8 %t, i8 0, i64 16, i1 false), !dbg !41
    #dbg_declare(ptr %one, !42, !DIExpression(), !43)
  store i32 1, ptr %one, align 4, !dbg !43
    #dbg_declare(ptr %two, !44, !DIExpression(), !45)
  store i32 2, ptr %two, align 4, !dbg !45
  %0 = load ptr, ptr %argv.addr, align 8, !dbg !46
  %1 = load i32, ptr %argc.addr, align 4, !dbg !47
  %cmp = icmp sgt i32 %1, 1, !dbg !49
  br i1 %cmp, label %if.then, label %if.else, !dbg !50

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr @stdout, align 8, !dbg !51
  call void @on_event(ptr noundef @print, ptr noundef %2), !dbg !52
  br label %if.end, !dbg !52

if.else:                                          ; preds = %entry
  call void @on_event(ptr noundef @add, ptr noundef %t), !dbg !53
  br label %if.end

if.end:                                           ; preds = %if.else, %if.then
  %call = call i32 @post(ptr noundef @.str, ptr noundef %one), !dbg !54
  %call1 = call i32 @post(ptr noundef @.str.1, ptr noundef %two), !dbg !55
  call void @run(), !dbg !56
  %sum = getelementptr inbounds %struct.totals, ptr %t, i32 0, i32 1, !dbg !57
  %3 = load i32, ptr %sum, align 4, !dbg !57
  ret i32 %3, !dbg !58
}

; Function Attrs: nocallback nofree nounwind willreturn memory(argmem: write)
declare void @llvm.memset.p0.i64(ptr nocapture writeonly, i8, i64, i1 immarg) #1

declare void @on_event(ptr noundef, ptr noundef) #2

; Function Attrs: noinline nounwind uwtable
define internal void @print(ptr noundef %e, ptr noundef %context) #0 !dbg !59 {
entry:
  %e.addr = alloca ptr, align 8
  %context.addr = alloca ptr, align 8
  store ptr %e, ptr %e.addr, align 8
    #dbg_declare(ptr %e.addr, !70, !DIExpression(), !71)
  store ptr %context, ptr %context.addr, align 8
    #dbg_declare(ptr %context.addr, !72, !DIExpression(), !73)
  %0 = load ptr, ptr %context.addr, align 8, !dbg !74
  %1 = load ptr, ptr %e.addr, align 8, !dbg !75
  %name = getelementptr inbounds %struct.event, ptr %1, i32 0, i32 1, !dbg !76
  %2 = load ptr, ptr %name, align 8, !dbg !76
  %call = call i32 (ptr, ptr, ...) @fprintf(ptr noundef %0, ptr noundef @.str.2, ptr noundef %2) #4, !dbg !77
  ret void, !dbg !78
}

; Function Attrs: noinline nounwind uwtable
define internal void @add(ptr noundef %e, ptr noundef %context) #0 !dbg !79 {
entry:
  %e.addr = alloca ptr, align 8
  %context.addr = alloca ptr, align 8
  %t = alloca ptr, align 8
  %value = alloca ptr, align 8
  store ptr %e, ptr %e.addr, align 8
    #dbg_declare(ptr %e.addr, !80, !DIExpression(), !81)
  store ptr %context, ptr %context.addr, align 8
    #dbg_declare(ptr %context.addr, !82, !DIExpression(), !83)
    #dbg_declare(ptr %t, !84, !DIExpression(), !86)
  %0 = load ptr, ptr %context.addr, align 8, !dbg !87
  store ptr %0, ptr %t, align 8, !dbg !86
    #dbg_declare(ptr %value, !88, !DIExpression(), !89)
  %1 = load ptr, ptr %e.addr, align 8, !dbg !90
  %data = getelementptr inbounds %struct.event, ptr %1, i32 0, i32 2, !dbg !91
  %2 = load ptr, ptr %data, align 8, !dbg !91
  store ptr %2, ptr %value, align 8, !dbg !89
  %3 = load ptr, ptr %t, align 8, !dbg !92
  %seen = getelementptr inbounds %struct.totals, ptr %3, i32 0, i32 0, !dbg !93
  %4 = load i32, ptr %seen, align 8, !dbg !94
  %inc = add nsw i32 %4, 1, !dbg !94
  store i32 %inc, ptr %seen, align 8, !dbg !94
  %5 = load ptr, ptr %value, align 8, !dbg !95
  %6 = load i32, ptr %5, align 4, !dbg !96
  %7 = load ptr, ptr %t, align 8, !dbg !97
  %sum = getelementptr inbounds %struct.totals, ptr %7, i32 0, i32 1, !dbg !98
  %8 = load i32, ptr %sum, align 4, !dbg !99
  %add = add nsw i32 %8, %6, !dbg !99
  store i32 %add, ptr %sum, align 4, !dbg !99
  %9 = load ptr, ptr %value, align 8, !dbg !100
  %10 = load ptr, ptr %t, align 8, !dbg !101
  %latest = getelementptr inbounds %struct.totals, ptr %10, i32 0, i32 2, !dbg !102
  store ptr %9, ptr %latest, align 8, !dbg !103
  %11 = load ptr, ptr %value, align 8, !dbg !104
  store i32 0, ptr %11, align 4, !dbg !105
  ret void, !dbg !106
}

declare i32 @post(ptr noundef, ptr noundef) #2

declare void @run() #2

; Function Attrs: nounwind
declare i32 @fprintf(ptr noundef, ptr noundef, ...) #3

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nocallback nofree nounwind willreturn memory(argmem: write) }
attributes #2 = { "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!11}
!llvm.module.flags = !{!15, !16, !17, !18, !19, !20, !21}
!llvm.ident = !{!22}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(scope: null, file: !2, line: 45, type: !3, isLocal: true, isDefinition: true)
!2 = !DIFile(filename: "main.c", directory: ".", checksumkind: CSK_MD5, checksum: "2de00bf7efa84c162282915d5f402fb8")
!3 = !DICompositeType(tag: DW_TAG_array_type, baseType: !4, size: 32, elements: !5)
!4 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!5 = !{!6}
!6 = !DISubrange(count: 4)
!7 = !DIGlobalVariableExpression(var: !8, expr: !DIExpression())
!8 = distinct !DIGlobalVariable(scope: null, file: !2, line: 46, type: !3, isLocal: true, isDefinition: true)
!9 = !DIGlobalVariableExpression(var: !10, expr: !DIExpression())
!10 = distinct !DIGlobalVariable(scope: null, file: !2, line: 32, type: !3, isLocal: true, isDefinition: true)
!11 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, producer: "clang version 19.1.7", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !12, globals: !14, splitDebugInlining: false, nameTableKind: None)
!12 = !{!13}
!13 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!14 = !{!0, !7, !9}
!15 = !{i32 7, !"Dwarf Version", i32 5}
!16 = !{i32 2, !"Debug Info Version", i32 3}
!17 = !{i32 1, !"wchar_size", i32 4}
!18 = !{i32 8, !"PIC Level", i32 2}
!19 = !{i32 7, !"PIE Level", i32 2}
!20 = !{i32 7, !"uwtable", i32 2}
!21 = !{i32 7, !"frame-pointer", i32 2}
!22 = !{!"clang version 19.1.7"}
!23 = distinct !DISubprogram(name: "main", scope: !2, file: !2, line: 35, type: !24, scopeLine: 36, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !11, retainedNodes: !29)
!24 = !DISubroutineType(types: !25)
!25 = !{!26, !26, !27}
!26 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!27 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !28, size: 64)
!28 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!29 = !{}
!30 = !DILocalVariable(name: "argc", arg: 1, scope: !23, file: !2, line: 35, type: !26)
!31 = !DILocation(line: 35, column: 14, scope: !23)
!32 = !DILocalVariable(name: "argv", arg: 2, scope: !23, file: !2, line: 35, type: !27)
!33 = !DILocation(line: 35, column: 27, scope: !23)
!34 = !DILocalVariable(name: "t", scope: !23, file: !2, line: 37, type: !35)
!35 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "totals", file: !2, line: 14, size: 128, elements: !36)
!36 = !{!37, !38, !39}
!37 = !DIDerivedType(tag: DW_TAG_member, name: "seen", scope: !35, file: !2, line: 15, baseType: !26, size: 32)
!38 = !DIDerivedType(tag: DW_TAG_member, name: "sum", scope: !35, file: !2, line: 15, baseType: !26, size: 32, offset: 32)
!39 = !DIDerivedType(tag: DW_TAG_member, name: "latest", scope: !35, file: !2, line: 16, baseType: !40, size: 64, offset: 64)
!40 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !26, size: 64)
!41 = !DILocation(line: 37, column: 16, scope: !23)
!42 = !DILocalVariable(name: "one", scope: !23, file: !2, line: 38, type: !26)
!43 = !DILocation(line: 38, column: 6, scope: !23)
!44 = !DILocalVariable(name: "two", scope: !23, file: !2, line: 38, type: !26)
!45 = !DILocation(line: 38, column: 15, scope: !23)
!46 = !DILocation(line: 40, column: 8, scope: !23)
!47 = !DILocation(line: 41, column: 6, scope: !48)
!48 = distinct !DILexicalBlock(scope: !23, file: !2, line: 41, column: 6)
!49 = !DILocation(line: 41, column: 11, scope: !48)
!50 = !DILocation(line: 41, column: 6, scope: !23)
!51 = !DILocation(line: 42, column: 19, scope: !48)
!52 = !DILocation(line: 42, column: 3, scope: !48)
!53 = !DILocation(line: 44, column: 3, scope: !48)
!54 = !DILocation(line: 45, column: 2, scope: !23)
!55 = !DILocation(line: 46, column: 2, scope: !23)
!56 = !DILocation(line: 47, column: 2, scope: !23)
!57 = !DILocation(line: 48, column: 11, scope: !23)
!58 = !DILocation(line: 48, column: 2, scope: !23)
!59 = distinct !DISubprogram(name: "print", scope: !2, file: !2, line: 30, type: !60, scopeLine: 31, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !11, retainedNodes: !29)
!60 = !DISubroutineType(types: !61)
!61 = !{null, !62, !13}
!62 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !63, size: 64)
!63 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "event", file: !2, line: 4, size: 192, elements: !64)
!64 = !{!65, !66, !69}
!65 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !63, file: !2, line: 5, baseType: !62, size: 64)
!66 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !63, file: !2, line: 6, baseType: !67, size: 64, offset: 64)
!67 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !68, size: 64)
!68 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !4)
!69 = !DIDerivedType(tag: DW_TAG_member, name: "data", scope: !63, file: !2, line: 7, baseType: !13, size: 64, offset: 128)
!70 = !DILocalVariable(name: "e", arg: 1, scope: !59, file: !2, line: 30, type: !62)
!71 = !DILocation(line: 30, column: 33, scope: !59)
!72 = !DILocalVariable(name: "context", arg: 2, scope: !59, file: !2, line: 30, type: !13)
!73 = !DILocation(line: 30, column: 42, scope: !59)
!74 = !DILocation(line: 32, column: 10, scope: !59)
!75 = !DILocation(line: 32, column: 27, scope: !59)
!76 = !DILocation(line: 32, column: 30, scope: !59)
!77 = !DILocation(line: 32, column: 2, scope: !59)
!78 = !DILocation(line: 33, column: 1, scope: !59)
!79 = distinct !DISubprogram(name: "add", scope: !2, file: !2, line: 19, type: !60, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !11, retainedNodes: !29)
!80 = !DILocalVariable(name: "e", arg: 1, scope: !79, file: !2, line: 19, type: !62)
!81 = !DILocation(line: 19, column: 31, scope: !79)
!82 = !DILocalVariable(name: "context", arg: 2, scope: !79, file: !2, line: 19, type: !13)
!83 = !DILocation(line: 19, column: 40, scope: !79)
!84 = !DILocalVariable(name: "t", scope: !79, file: !2, line: 21, type: !85)
!85 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !35, size: 64)
!86 = !DILocation(line: 21, column: 17, scope: !79)
!87 = !DILocation(line: 21, column: 21, scope: !79)
!88 = !DILocalVariable(name: "value", scope: !79, file: !2, line: 22, type: !40)
!89 = !DILocation(line: 22, column: 7, scope: !79)
!90 = !DILocation(line: 22, column: 15, scope: !79)
!91 = !DILocation(line: 22, column: 18, scope: !79)
!92 = !DILocation(line: 24, column: 2, scope: !79)
!93 = !DILocation(line: 24, column: 5, scope: !79)
!94 = !DILocation(line: 24, column: 9, scope: !79)
!95 = !DILocation(line: 25, column: 13, scope: !79)
!96 = !DILocation(line: 25, column: 12, scope: !79)
!97 = !DILocation(line: 25, column: 2, scope: !79)
!98 = !DILocation(line: 25, column: 5, scope: !79)
!99 = !DILocation(line: 25, column: 9, scope: !79)
!100 = !DILocation(line: 26, column: 14, scope: !79)
!101 = !DILocation(line: 26, column: 2, scope: !79)
!102 = !DILocation(line: 26, column: 5, scope: !79)
!103 = !DILocation(line: 26, column: 12, scope: !79)
!104 = !DILocation(line: 27, column: 3, scope: !79)
!105 = !DILocation(line: 27, column: 9, scope: !79)
!106 = !DILocation(line: 28, column: 1, scope: !79)
