// SPDX-License-Identifier: Apache-2.0
package odd; // not a "string" here
/* one */ @interface Mark { String value() default "/* no comment */"; }
/** Over
 * lines: "still" new
 */ @Mark("a\"b") class Odd {
	char quote = '"', back = '\\', one = '\u0041';
	long n = 0xFFL + 0b10_1 + 1_000 + 3.5e10f + .5;
	int newest, $new, news = 1; // new is no keyword in these
	void say(java.util.List<?> all) { all.size(); }
	String block = """
		class "quoted" // no comment
		</script><script>pwned=1</script>
		""" + "after";
	String open = "no end </script><img src=x onerror=pwned=1>
	String after = "\
	double größe = 1e; @ int x@y; #`~
	String שלום = "‮" + '';
/* never closed </script><!--
new class
