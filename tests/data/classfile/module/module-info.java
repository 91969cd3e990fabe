// SPDX-License-Identifier: Apache-2.0
open module shapes.module {
	requires transitive java.logging;
	requires static java.sql;
	exports shapes.api to java.sql, java.logging;
	uses java.util.spi.ToolProvider;
	provides java.lang.Runnable with shapes.api.Task;
}
