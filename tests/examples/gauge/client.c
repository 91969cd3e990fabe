/* SPDX-License-Identifier: Apache-2.0 */
/* Module Client of figure 3.2: reads a gauge twice. */
extern int *last;
void read_gauge(int *where, void (*changed)(int *before, int *now));

static void halve(int *before, int *now)
{
	int old;

	if (!before)
		return;
	old = *now;
	*before = old / 2;
}

int main(void)
{
	int x, y;

	x = 1;
	y = 2;
	read_gauge(&x, halve);
	read_gauge(&y, halve);
	return *last == x;
}
