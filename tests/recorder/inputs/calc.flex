/* A scanner for a small calculator: states, character classes, look-ahead. */
package calc;

%%

%class CalcScanner
%unicode
%int
%line
%column
%state COMMENT

digit   = [0-9]
letter  = [a-zA-Zäöüß]
space   = [ \t\r\n\f]
number  = {digit}+ ("." {digit}+)? ([eE] [+-]? {digit}+)?

%{
	public static final int NUMBER = 1, NAME = 2, OPERATOR = 3, LET = 4;
%}

%%

<YYINITIAL> {
	{number}                    { return NUMBER; }
	"let" / {space}             { return LET; }
	{letter} ({letter}|{digit})* { return NAME; }
	[-+*/()=;]                  { return OPERATOR; }
	"/*"                        { yybegin(COMMENT); }
	{space}+                    { }
}
<COMMENT> {
	"*/"                        { yybegin(YYINITIAL); }
	[^*]+ | "*"                 { }
}
[^]                                 { throw new Error("line " + yyline + ", column " + yycolumn); }
