class P extends Parser;
options { buildAST = true; k = 2; }
expr : mexpr (PLUS^ mexpr)* ;
mexpr : INT | LP! expr RP! ;
class L extends Lexer;
PLUS : '+' ; LP : '(' ; RP : ')' ;
INT : ('0'..'9')+ ;
WS : (' ' | '\n' { newline(); })+ { $setType(Token.SKIP); } ;
class T extends TreeParser;
expr returns [int r = 0] { int a, b; } : #(PLUS a=expr b=expr { r = a + b; }) | i:INT { r = 1; } ;
