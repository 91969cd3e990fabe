; ModuleID = 'queue.c'
source_filename = "queue.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.event = type { ptr, ptr, ptr }

@limit = dso_local global i32 10, align 4, !dbg !0
@current = internal global ptr null, align 8, !dbg !21
@current_context = internal global ptr null, align 8, !dbg !27
@sent = internal global i32 0, align 4, !dbg !29
@last = internal global ptr null, align 8, !dbg !19
@first = internal global ptr null, align 8, !dbg !8

; Function Attrs: noinline nounwind uwtable
define dso_local void @on_event(ptr noundef %h, ptr noundef %context) #0 !dbg !40 {
entry:
  %h.addr = alloca ptr, align 8
  %context.addr = alloca ptr, align 8
  store ptr %h, ptr %h.addr, align 8
    #dbg_declare(ptr %h.addr, !44, !DIExpression(), !45)
  store ptr %context, ptr %context.addr, align 8
    #dbg_declare(ptr %context.addr, !46, !DIExpression(), !47)
  %0 = load ptr, ptr %h.addr, align 8, !dbg !48
  store ptr %0, ptr @current, align 8, !dbg !49
  %1 = load ptr, ptr %context.addr, align 8, !dbg !50
  store ptr %1, ptr @current_context, align 8, !dbg !51
  ret void, !dbg !52
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @post(ptr noundef %name, ptr noundef %data) #0 !dbg !53 {
entry:
  %retval = alloca i32, align 4
  %name.addr = alloca ptr, align 8
  %data.addr = alloca ptr, align 8
  %e = alloca ptr, align 8
  store ptr %name, ptr %name.addr, align 8
    #dbg_declare(ptr %name.addr, !56, !DIExpression(), !57)
  store ptr %data, ptr %data.addr, align 8
    #dbg_declare(ptr %data.addr, !58, !DIExpression(), !59)
    #dbg_declare(ptr %e, !60, !DIExpression(), !61)
  %0 = load i32, ptr @sent, align 4, !dbg !62
  %1 = load i32, ptr @limit, align 4, !dbg !64
  %cmp = icmp uge i32 %0, %1, !dbg !65
  br i1 %cmp, label %if.then, label %if.end, !dbg !66

if.then:                                          ; preds = %entry
  store i32 0, ptr %retval, align 4, !dbg !67
  br label %return, !dbg !67

if.end:                                           ; preds = %entry
  %call = call noalias ptr @malloc(i64 noundef 24) #3, !dbg !68
  store ptr %call, ptr %e, align 8, !dbg !69
  %2 = load ptr, ptr %e, align 8, !dbg !70
  %next = getelementptr inbounds %struct.event, ptr %2, i32 0, i32 0, !dbg !71
  store ptr null, ptr %next, align 8, !dbg !72
  %3 = load ptr, ptr %name.addr, align 8, !dbg !73
  %call1 = call noalias ptr @strdup(ptr noundef %3) #4, !dbg !74
  %4 = load ptr, ptr %e, align 8, !dbg !75
  %name2 = getelementptr inbounds %struct.event, ptr %4, i32 0, i32 1, !dbg !76
  store ptr %call1, ptr %name2, align 8, !dbg !77
  %5 = load ptr, ptr %data.addr, align 8, !dbg !78
  %6 = load ptr, ptr %e, align 8, !dbg !79
  %data3 = getelementptr inbounds %struct.event, ptr %6, i32 0, i32 2, !dbg !80
  store ptr %5, ptr %data3, align 8, !dbg !81
  %7 = load ptr, ptr @last, align 8, !dbg !82
  %tobool = icmp ne ptr %7, null, !dbg !82
  br i1 %tobool, label %if.then4, label %if.else, !dbg !84

if.then4:                                         ; preds = %if.end
  %8 = load ptr, ptr %e, align 8, !dbg !85
  %9 = load ptr, ptr @last, align 8, !dbg !86
  %next5 = getelementptr inbounds %struct.event, ptr %9, i32 0, i32 0, !dbg !87
  store ptr %8, ptr %next5, align 8, !dbg !88
  br label %if.end6, !dbg !86

if.else:                                          ; preds = %if.end
  %10 = load ptr, ptr %e, align 8, !dbg !89
  store ptr %10, ptr @first, align 8, !dbg !90
  br label %if.end6

if.end6:                                          ; preds = %if.else, %if.then4
  %11 = load ptr, ptr %e, align 8, !dbg !91
  store ptr %11, ptr @last, align 8, !dbg !92
  %12 = load i32, ptr @sent, align 4, !dbg !93
  %inc = add i32 %12, 1, !dbg !93
  store i32 %inc, ptr @sent, align 4, !dbg !93
  store i32 1, ptr %retval, align 4, !dbg !94
  br label %return, !dbg !94

return:                                           ; preds = %if.end6, %if.then
  %13 = load i32, ptr %retval, align 4, !dbg !95
  ret i32 %13, !dbg !95
}

; Function Attrs: nounwind allocsize(0)
declare noalias ptr @malloc(i64 noundef) #1

; Function Attrs: nounwind
declare noalias ptr @strdup(ptr noundef) #2

; Function Attrs: noinline nounwind uwtable
define dso_local void @run() #0 !dbg !96 {
entry:
  %e = alloca ptr, align 8
    #dbg_declare(ptr %e, !99, !DIExpression(), !100)
  br label %while.cond, !dbg !101

while.cond:                                       ; preds = %if.end, %entry
  %call = call ptr @take(), !dbg !102
  store ptr %call, ptr %e, align 8, !dbg !103
  %cmp = icmp ne ptr %call, null, !dbg !104
  br i1 %cmp, label %while.body, label %while.end, !dbg !101

while.body:                                       ; preds = %while.cond
  %0 = load ptr, ptr @current, align 8, !dbg !105
  %tobool = icmp ne ptr %0, null, !dbg !105
  br i1 %tobool, label %if.then, label %if.end, !dbg !107

if.then:                                          ; preds = %while.body
  %1 = load ptr, ptr @current, align 8, !dbg !108
  %2 = load ptr, ptr %e, align 8, !dbg !109
  %3 = load ptr, ptr @current_context, align 8, !dbg !110
  call void %1(ptr noundef %2, ptr noundef %3), !dbg !108
  br label %if.end, !dbg !108

if.end:                                           ; preds = %if.then, %while.body
  br label %while.cond, !dbg !101, !llvm.loop !111

while.end:                                        ; preds = %while.cond
  ret void, !dbg !114
}

; Function Attrs: noinline nounwind uwtable
define internal ptr @take() #0 !dbg !115 {
entry:
  %e = alloca ptr, align 8
    #dbg_declare(ptr %e, !118, !DIExpression(), !119)
  %0 = load ptr, ptr @first, align 8, !dbg !120
  store ptr %0, ptr %e, align 8, !dbg !119
  %1 = load ptr, ptr %e, align 8, !dbg !121
  %tobool = icmp ne ptr %1, null, !dbg !121
  br i1 %tobool, label %if.then, label %if.end, !dbg !123

if.then:                                          ; preds = %entry
  %2 = load ptr, ptr %e, align 8, !dbg !124
  %next = getelementptr inbounds %struct.event, ptr %2, i32 0, i32 0, !dbg !125
  %3 = load ptr, ptr %next, align 8, !dbg !125
  store ptr %3, ptr @first, align 8, !dbg !126
  br label %if.end, !dbg !127

if.end:                                           ; preds = %if.then, %entry
  %4 = load ptr, ptr @first, align 8, !dbg !128
  %tobool1 = icmp ne ptr %4, null, !dbg !128
  br i1 %tobool1, label %if.end3, label %if.then2, !dbg !130

if.then2:                                         ; preds = %if.end
  store ptr null, ptr @last, align 8, !dbg !131
  br label %if.end3, !dbg !132

if.end3:                                          ; preds = %if.then2, %if.end
  %5 = load ptr, ptr %e, align 8, !dbg !133
  ret ptr %5, !dbg !134
}

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @count() #0 !dbg !135 {
entry:
  %0 = load i32, ptr @sent, align 4, !dbg !138
  ret i32 %0, !dbg !139
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { nounwind allocsize(0) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #2 = { nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind allocsize(0) }
attributes #4 = { nounwind }

!llvm.dbg.cu = !{!2}
!llvm.module.flags = !{!32, !33, !34, !35, !36, !37, !38}
!llvm.ident = !{!39}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "limit", scope: !2, file: !3, line: 17, type: !31, isLocal: false, isDefinition: true)
!2 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang version 19.1.7", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, retainedTypes: !4, globals: !7, splitDebugInlining: false, nameTableKind: None)
!3 = !DIFile(filename: "queue.c", directory: ".", checksumkind: CSK_MD5, checksum: "e59e93aed60ad031f785e08672af71d3")
!4 = !{!5, !6}
!5 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!6 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!7 = !{!0, !8, !19, !21, !27, !29}
!8 = !DIGlobalVariableExpression(var: !9, expr: !DIExpression())
!9 = distinct !DIGlobalVariable(name: "first", scope: !2, file: !3, line: 13, type: !10, isLocal: true, isDefinition: true)
!10 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !11, size: 64)
!11 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "event", file: !3, line: 5, size: 192, elements: !12)
!12 = !{!13, !14, !18}
!13 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !11, file: !3, line: 6, baseType: !10, size: 64)
!14 = !DIDerivedType(tag: DW_TAG_member, name: "name", scope: !11, file: !3, line: 7, baseType: !15, size: 64, offset: 64)
!15 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !16, size: 64)
!16 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !17)
!17 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!18 = !DIDerivedType(tag: DW_TAG_member, name: "data", scope: !11, file: !3, line: 8, baseType: !6, size: 64, offset: 128)
!19 = !DIGlobalVariableExpression(var: !20, expr: !DIExpression())
!20 = distinct !DIGlobalVariable(name: "last", scope: !2, file: !3, line: 13, type: !10, isLocal: true, isDefinition: true)
!21 = !DIGlobalVariableExpression(var: !22, expr: !DIExpression())
!22 = distinct !DIGlobalVariable(name: "current", scope: !2, file: !3, line: 14, type: !23, isLocal: true, isDefinition: true)
!23 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !24, size: 64)
!24 = !DIDerivedType(tag: DW_TAG_typedef, name: "handler", file: !3, line: 11, baseType: !25)
!25 = !DISubroutineType(types: !26)
!26 = !{null, !10, !6}
!27 = !DIGlobalVariableExpression(var: !28, expr: !DIExpression())
!28 = distinct !DIGlobalVariable(name: "current_context", scope: !2, file: !3, line: 15, type: !6, isLocal: true, isDefinition: true)
!29 = !DIGlobalVariableExpression(var: !30, expr: !DIExpression())
!30 = distinct !DIGlobalVariable(name: "sent", scope: !2, file: !3, line: 16, type: !5, isLocal: true, isDefinition: true)
!31 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!32 = !{i32 7, !"Dwarf Version", i32 5}
!33 = !{i32 2, !"Debug Info Version", i32 3}
!34 = !{i32 1, !"wchar_size", i32 4}
!35 = !{i32 8, !"PIC Level", i32 2}
!36 = !{i32 7, !"PIE Level", i32 2}
!37 = !{i32 7, !"uwtable", i32 2}
!38 = !{i32 7, !"frame-pointer", i32 2}
!39 = !{!"clang version 19.1.7"}
!40 = distinct !DISubprogram(name: "on_event", scope: !3, file: !3, line: 19, type: !41, scopeLine: 20, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!41 = !DISubroutineType(types: !42)
!42 = !{null, !23, !6}
!43 = !{}
!44 = !DILocalVariable(name: "h", arg: 1, scope: !40, file: !3, line: 19, type: !23)
!45 = !DILocation(line: 19, column: 24, scope: !40)
!46 = !DILocalVariable(name: "context", arg: 2, scope: !40, file: !3, line: 19, type: !6)
!47 = !DILocation(line: 19, column: 33, scope: !40)
!48 = !DILocation(line: 21, column: 12, scope: !40)
!49 = !DILocation(line: 21, column: 10, scope: !40)
!50 = !DILocation(line: 22, column: 20, scope: !40)
!51 = !DILocation(line: 22, column: 18, scope: !40)
!52 = !DILocation(line: 23, column: 1, scope: !40)
!53 = distinct !DISubprogram(name: "post", scope: !3, file: !3, line: 25, type: !54, scopeLine: 26, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!54 = !DISubroutineType(types: !55)
!55 = !{!31, !15, !6}
!56 = !DILocalVariable(name: "name", arg: 1, scope: !53, file: !3, line: 25, type: !15)
!57 = !DILocation(line: 25, column: 22, scope: !53)
!58 = !DILocalVariable(name: "data", arg: 2, scope: !53, file: !3, line: 25, type: !6)
!59 = !DILocation(line: 25, column: 34, scope: !53)
!60 = !DILocalVariable(name: "e", scope: !53, file: !3, line: 27, type: !10)
!61 = !DILocation(line: 27, column: 16, scope: !53)
!62 = !DILocation(line: 29, column: 6, scope: !63)
!63 = distinct !DILexicalBlock(scope: !53, file: !3, line: 29, column: 6)
!64 = !DILocation(line: 29, column: 24, scope: !63)
!65 = !DILocation(line: 29, column: 11, scope: !63)
!66 = !DILocation(line: 29, column: 6, scope: !53)
!67 = !DILocation(line: 30, column: 3, scope: !63)
!68 = !DILocation(line: 31, column: 6, scope: !53)
!69 = !DILocation(line: 31, column: 4, scope: !53)
!70 = !DILocation(line: 32, column: 2, scope: !53)
!71 = !DILocation(line: 32, column: 5, scope: !53)
!72 = !DILocation(line: 32, column: 10, scope: !53)
!73 = !DILocation(line: 33, column: 19, scope: !53)
!74 = !DILocation(line: 33, column: 12, scope: !53)
!75 = !DILocation(line: 33, column: 2, scope: !53)
!76 = !DILocation(line: 33, column: 5, scope: !53)
!77 = !DILocation(line: 33, column: 10, scope: !53)
!78 = !DILocation(line: 34, column: 12, scope: !53)
!79 = !DILocation(line: 34, column: 2, scope: !53)
!80 = !DILocation(line: 34, column: 5, scope: !53)
!81 = !DILocation(line: 34, column: 10, scope: !53)
!82 = !DILocation(line: 35, column: 6, scope: !83)
!83 = distinct !DILexicalBlock(scope: !53, file: !3, line: 35, column: 6)
!84 = !DILocation(line: 35, column: 6, scope: !53)
!85 = !DILocation(line: 36, column: 16, scope: !83)
!86 = !DILocation(line: 36, column: 3, scope: !83)
!87 = !DILocation(line: 36, column: 9, scope: !83)
!88 = !DILocation(line: 36, column: 14, scope: !83)
!89 = !DILocation(line: 38, column: 11, scope: !83)
!90 = !DILocation(line: 38, column: 9, scope: !83)
!91 = !DILocation(line: 39, column: 9, scope: !53)
!92 = !DILocation(line: 39, column: 7, scope: !53)
!93 = !DILocation(line: 40, column: 6, scope: !53)
!94 = !DILocation(line: 41, column: 2, scope: !53)
!95 = !DILocation(line: 42, column: 1, scope: !53)
!96 = distinct !DISubprogram(name: "run", scope: !3, file: !3, line: 55, type: !97, scopeLine: 56, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2, retainedNodes: !43)
!97 = !DISubroutineType(types: !98)
!98 = !{null}
!99 = !DILocalVariable(name: "e", scope: !96, file: !3, line: 57, type: !10)
!100 = !DILocation(line: 57, column: 16, scope: !96)
!101 = !DILocation(line: 59, column: 2, scope: !96)
!102 = !DILocation(line: 59, column: 14, scope: !96)
!103 = !DILocation(line: 59, column: 12, scope: !96)
!104 = !DILocation(line: 59, column: 22, scope: !96)
!105 = !DILocation(line: 60, column: 7, scope: !106)
!106 = distinct !DILexicalBlock(scope: !96, file: !3, line: 60, column: 7)
!107 = !DILocation(line: 60, column: 7, scope: !96)
!108 = !DILocation(line: 61, column: 4, scope: !106)
!109 = !DILocation(line: 61, column: 12, scope: !106)
!110 = !DILocation(line: 61, column: 15, scope: !106)
!111 = distinct !{!111, !101, !112, !113}
!112 = !DILocation(line: 61, column: 30, scope: !96)
!113 = !{!"llvm.loop.mustprogress"}
!114 = !DILocation(line: 62, column: 1, scope: !96)
!115 = distinct !DISubprogram(name: "take", scope: !3, file: !3, line: 44, type: !116, scopeLine: 45, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !2, retainedNodes: !43)
!116 = !DISubroutineType(types: !117)
!117 = !{!10}
!118 = !DILocalVariable(name: "e", scope: !115, file: !3, line: 46, type: !10)
!119 = !DILocation(line: 46, column: 16, scope: !115)
!120 = !DILocation(line: 46, column: 20, scope: !115)
!121 = !DILocation(line: 48, column: 6, scope: !122)
!122 = distinct !DILexicalBlock(scope: !115, file: !3, line: 48, column: 6)
!123 = !DILocation(line: 48, column: 6, scope: !115)
!124 = !DILocation(line: 49, column: 11, scope: !122)
!125 = !DILocation(line: 49, column: 14, scope: !122)
!126 = !DILocation(line: 49, column: 9, scope: !122)
!127 = !DILocation(line: 49, column: 3, scope: !122)
!128 = !DILocation(line: 50, column: 7, scope: !129)
!129 = distinct !DILexicalBlock(scope: !115, file: !3, line: 50, column: 6)
!130 = !DILocation(line: 50, column: 6, scope: !115)
!131 = !DILocation(line: 51, column: 8, scope: !129)
!132 = !DILocation(line: 51, column: 3, scope: !129)
!133 = !DILocation(line: 52, column: 9, scope: !115)
!134 = !DILocation(line: 52, column: 2, scope: !115)
!135 = distinct !DISubprogram(name: "count", scope: !3, file: !3, line: 64, type: !136, scopeLine: 65, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !2)
!136 = !DISubroutineType(types: !137)
!137 = !{!5}
!138 = !DILocation(line: 66, column: 9, scope: !135)
!139 = !DILocation(line: 66, column: 2, scope: !135)
