/* SPDX-License-Identifier: Apache-2.0 */
/* Pointers in numbers: what is done to them is undone. */
#include <stdint.h>

static int v[12], *out;
static uintptr_t hidden[12];
static volatile uintptr_t key = 0x123456789abc;
static volatile int yes = 1;

__attribute__((noinline)) static uintptr_t rotate(uintptr_t u, int n)
{
	return u << n | u >> (64 - n);
}

static void use(uintptr_t u)
{
	out = (int *)u;
	*out = 1;
}

int main(void)
{
	uintptr_t mask = -(uintptr_t)yes;

	hidden[0] = ~(uintptr_t)&v[0];
	use(~hidden[0]);
	hidden[1] = (uintptr_t)&v[1] << 16;
	use(hidden[1] >> 16);
	hidden[2] = rotate((uintptr_t)&v[2], 13);
	use(rotate(hidden[2], 51));
	hidden[3] = __builtin_bswap64((uintptr_t)&v[3]);
	use(__builtin_bswap64(hidden[3]));
	hidden[4] = (uintptr_t)&v[4] ^ key;
	use(hidden[4] ^ key);
	hidden[5] = key - (uintptr_t)&v[5];
	use(key - hidden[5]);
	hidden[6] = -(uintptr_t)&v[6];
	use(-hidden[6]);
	hidden[7] = (uintptr_t)&v[7] * 3;
	use(hidden[7] / 3);
	hidden[8] = ((uintptr_t)&v[8] & mask) | ((uintptr_t)&v[9] & ~mask);
	use(hidden[8]);
	hidden[10] = (uintptr_t)&v[10] + key;
	use(hidden[10] - key);
	hidden[11] = (uintptr_t)&v[11] | 1;
	use(hidden[11] - (hidden[11] & 1));
	return 0;
}
