/* SPDX-License-Identifier: Apache-2.0 */
/* ids.h - typed 32-bit ids of the program model. 0 is "none". Dense, dealt in a deterministic order. */
#ifndef IR_IDS_H
#define IR_IDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"

typedef struct { uint32_t i; } class_id;      /* classes, interfaces, arrays, primitives; also only named ones */
typedef struct { uint32_t i; } method_id;     /* declared methods */
typedef struct { uint32_t i; } field_id;      /* declared fields */
typedef struct { uint32_t i; } sel_id;        /* selector: a name and a descriptor, of a method or field */
typedef struct { uint32_t i; } mref_id;       /* symbolic method reference: (class, selector, interface?) */
typedef struct { uint32_t i; } fref_id;       /* symbolic field reference: (class, selector) */

#endif
