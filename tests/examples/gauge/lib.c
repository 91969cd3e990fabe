/* SPDX-License-Identifier: Apache-2.0 */
/* The structure of module Lib of figures 3.2 and 3.5 of the thesis: a gauge keeps the last place it was read into, tells a
 * function of the client about it, and turns the signs of numbers of its own. */
int *last;

static void turn(int *number)
{
	int old, new;

	old = *number;
	new = -old;
	*number = new;
}

void read_gauge(int *where, void (*changed)(int *before, int *now))
{
	int three, four, *which, *place;

	three = 3;
	four = 4;
	place = where;
	changed(last, place);
	which = &four;
	turn(which);
	which = &three;
	turn(which);
	*place = four;
	last = place;
}
