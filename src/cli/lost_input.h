/* SPDX-License-Identifier: Apache-2.0 */
/* lost_input.h - inputs are mapped; one that somebody shortens meanwhile has pages without bytes. Whoever reads them gets
 * SIGBUS. */
#ifndef CLI_LOST_INPUT_H
#define CLI_LOST_INPUT_H

/* From now on: that ends the process as output.h says, with a sentence that names the file and EXIT_UNSERVED. Other bus errors
 * stay what they are. Commands that are run do not inherit it. */
void lost_input_watch(void);

#endif
