/* SPDX-License-Identifier: Apache-2.0 */
/* access.h - the access flags of classes and members that analyses look at (JVMS tables 4.1-B, 4.5-A, 4.6-A). */
#ifndef IR_ACCESS_H
#define IR_ACCESS_H

enum ir_access {
	ACCESS_PUBLIC = 0x0001,
	ACCESS_PRIVATE = 0x0002,
	ACCESS_PROTECTED = 0x0004,
	ACCESS_STATIC = 0x0008,
	ACCESS_FINAL = 0x0010,
	ACCESS_SUPER = 0x0020,
	ACCESS_BRIDGE = 0x0040,      /* of methods; 0x0040 of fields is volatile */
	ACCESS_TRANSIENT = 0x0080,   /* of fields */
	ACCESS_VARARGS = 0x0080,     /* of methods */
	ACCESS_NATIVE = 0x0100,
	ACCESS_INTERFACE = 0x0200,
	ACCESS_ABSTRACT = 0x0400,
	ACCESS_SYNTHETIC = 0x1000,
	ACCESS_ANNOTATION = 0x2000,
	ACCESS_ENUM = 0x4000,
};

#endif
