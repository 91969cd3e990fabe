grammar Sum;
lines : (sum ';')* EOF ;
sum : sum '*' sum | sum '+' sum | NAME | NUMBER | '(' sum ')' ;
NAME : [a-z]+ ;
NUMBER : [0-9]+ ;
SPACE : [ \n]+ -> skip ;
