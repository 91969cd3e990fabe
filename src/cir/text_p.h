/* SPDX-License-Identifier: Apache-2.0 */
/* text_p.h - words of the text form that printing and parsing share.
 *
 * A line is a declaration or a statement; `;` starts a comment. Rows have a sign and a number, with their name
 * before it where that is plain: layouts `node$2`, objects `g@5`, variables `x%7`, functions `f#3`. `_` is none. What is written
 * by hand may leave out sign and number: names are looked up, objects and variables in their function first; unknown variables
 * are new locals, and `result` is the function's. Numbers are dealt in the order of declarations and must be right.
 *
 *   cprogram 8                                         the size of pointers
 *   layout ptr$1 scalar 8
 *   layout node$2 struct 16 { 0 ptr$1 next, 8 ptr$1 _ }
 *   layout $3 array 160 of node$2 x 10                 0: unbounded
 *   object g@1 global node$2 size 16 exported static in f#1 !"a.c":3:5
 *   var x%1 local f#1 !"a.c":2:7
 *   temps %2..%9 f#1
 *   function f#1(x%1) result %10 object @4 rest @5 static moves 0 returns 0 other %11 of g#2 !"a.c":1:1
 *   {
 *     %2 = &g@1 + 8 !4:2                               of the function's file
 *     x%1 = %2
 *     %3 = x%1 + 0 + n*24 elements bytes hidden
 *     %4 = g@1 at 8 for 8
 *     g@1 at 8 = x%1 for 8
 *     %5 = *x%1 for 8
 *     *x%1 = %5 for 8
 *     *x%1 = *%5 for 24
 *     %6 = call f#1(x%1, _) fresh hint node$2 size 16
 *     call *%6() memory @8
 *   }
 *   use x%1 escapes written returned shifted only moves 2      of parameters, in their order
 *   note asm f#1 !"a.c":3:1 "text"
 *   initialisers f#1 */
#ifndef CIR_TEXT_P_H
#define CIR_TEXT_P_H

#include "cir/words.h"

#define CIR_TEMPS 4096                   /* the most that one `temps` line declares */

#endif
