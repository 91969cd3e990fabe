/* SPDX-License-Identifier: Apache-2.0 */
#include "session/analyses.h"

const struct analysis_row analyses[ANALYSES] = {
#define ANALYSIS(subject, id, name, requires, phase, verbs, help) \
	[subject##_##id] = { SUBJECT_##subject, name, requires, PHASE_##phase, verbs, help },
#include "session/analyses.def"
#undef ANALYSIS
};

#define ANALYSIS(subject, id, name, requires, phase, verbs, help) \
	_Static_assert((requires) >> (subject##_##id) == 0, #subject "_" #id " requires only rows above it");
#include "session/analyses.def"
#undef ANALYSIS

_Static_assert(ANALYSES <= 64, "sets of analyses are the bits of a word");

const char *subject_name(enum subject s)
{
	static const char *const names[] = {
		[SUBJECT_JAVA] = "Java program",
		[SUBJECT_COMPONENT] = "Component of a Java program",
		[SUBJECT_C] = "C program or library",
	};

	return names[s];
}
