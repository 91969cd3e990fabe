/* SPDX-License-Identifier: Apache-2.0 */
/* commands.c - the verbs, from commands.def. */
#include <string.h>

#include "cli/options.h"

const struct command commands[] = {
#define COMMAND(name, spec, group, help) { name, group, help, &spec },
#include "cli/commands.def"
#undef COMMAND
};
const size_t ncommands = ARRAY_LEN(commands);

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < ncommands; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

const char *command_nearest(const char *name)
{
	const char *names[ARRAY_LEN(commands) + 1] = { NULL };

	for (size_t i = 0; i < ncommands; i++)
		names[i] = commands[i].name;
	return nearest_name(name, names);
}
