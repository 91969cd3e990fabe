# sherd: one Makefile. `make` builds, `make check` tests, `make demo` shows; see README.md.
# Variants: SAN=address,undefined  DEBUG=1 (checks between passes, -Werror)  TORTURE=1 (capacities of 1)  BUILD=folder
VERSION := 0.6.0
BUILD ?= build
SAN ?=
STD := -std=c11 -D_POSIX_C_SOURCE=200809L
PIC := -fPIC -fvisibility=hidden
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
OPT ?= -O2 -g
# The agent goes into other people's processes: the builder's flags reach it, but for sanitizers, and those for programs.
for_agent = $(filter-out -fsanitize% -fno-sanitize% -pie -fpie -fPIE,$(1))
AGENT_CPPFLAGS := $(CPPFLAGS)
AGENT_CFLAGS := $(call for_agent,$(CFLAGS))
AGENT_LDFLAGS := $(call for_agent,$(LDFLAGS))
override CFLAGS := $(OPT) $(CFLAGS)
override CPPFLAGS := -Iinclude -Isrc -I$(BUILD)/gen $(CPPFLAGS)
ifneq ($(SAN),)
override CFLAGS += -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all
override LDFLAGS += -fsanitize=$(SAN)
endif
ifdef DEBUG
override CFLAGS += -O1 -Werror
override CPPFLAGS += -DSHERD_CHECK
else
override CPPFLAGS += -DNDEBUG
endif
ifdef TORTURE
override CPPFLAGS += -DSHERD_TORTURE
endif
LIBS := -ldeflate -lsqlite3 -lfa -lpthread

prefix ?= /usr/local
bindir ?= $(prefix)/bin
libdir ?= $(prefix)/lib
includedir ?= $(prefix)/include
pythondir ?= $(prefix)/lib/python3/dist-packages
mandir ?= $(prefix)/share/man
datadir ?= $(prefix)/share

# LLVM reads bitcode: linked statically, since only a small part of it is needed. Without it, verbs for C say so.
LLVM_CONFIG ?= $(firstword $(foreach v,19 16 14,$(shell command -v llvm-config-$(v))))
ifneq ($(LLVM_CONFIG),)
NOT_BUILT := src/bitcode/without.c
LLVM_VERSION := $(shell $(LLVM_CONFIG) --version)
LLVM_FLAGS := -isystem $(shell $(LLVM_CONFIG) --includedir)
LLVM_LIBS := $(shell $(LLVM_CONFIG) --link-static --ldflags --libs core bitreader irreader target) -Wl,--gc-sections -lstdc++ -lz $(if $(filter 14.%,$(LLVM_VERSION)),,-lzstd) $(if $(filter 14.% 16.%,$(LLVM_VERSION)),-ltinfo) -ldl -lm
else
NOT_BUILT = $(filter-out src/bitcode/without.c,$(wildcard src/bitcode/*.c src/bitcode/*/*.c))
endif

# Folders, lowest first: a folder's code may use only folders before it (tools/layers has the exact table).
FOLDERS := base base/text base/sys algo solve formats/archive formats/classfile formats/coverage formats/dynamic formats/elf formats/compdb formats/facts \
	formats/properties formats/calls \
	ir load load/lower cir bitcode bitcode/debug cmodel summary \
	analysis/strings analysis/hierarchy analysis/dynamic analysis/dynamic/handles analysis/dynamic/made analysis/dynamic/text \
	analysis/dynamic/outside analysis/dynamic/why analysis/callgraph analysis/pta analysis/pta/features analysis/pta/policies analysis/pta/ways analysis/pta/reach \
	analysis/template analysis/conditions analysis/chains analysis/callbacks analysis/defuse analysis/fragment analysis/compare analysis/allocation analysis/cpta analysis/modref analysis/cgraph analysis/clients analysis/summarize \
	coverage rewrite \
	report/write report/page report/java report/ways report/graph report/graph/html report/objects report/requirements report/chains report/coverage report/coverage/next report/coverage/html report/c report/facts report/calls \
	session session/lookup session/component session/outside session/artifact session/next session/api cli cli/compile cli/verbs cli/chains cli/application cli/summary
srcs = $(filter-out $(NOT_BUILT),$(wildcard src/$(1)/*.c))
objs = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(call srcs,$(1)))
lib = $(BUILD)/lib/lib$(subst /,-,$(1)).a
ALL_OBJS := $(foreach f,$(FOLDERS),$(call objs,$(f)))
LIBS_OF_ALL = $(foreach f,$(FOLDERS),$(if $(call srcs,$(f)),$(call lib,$(f))))
compile = $(CC) $(STD) $(WARN) $(PIC) $(CPPFLAGS) $(CFLAGS) -MMD -MP

all: $(BUILD)/sherd $(BUILD)/sherd-cc $(BUILD)/sherd-c++ $(BUILD)/libsherd.a $(BUILD)/libsherd.so $(BUILD)/sherd.pc $(BUILD)/libsherd-agent.so

comma := ,
# V=1 shows the commands.
Q := $(if $(V),,@)
say = @$(if $(V),:,printf '  %-5s %s\n' $(1) $(2))

# With other flags, objects are others; by another name of the same folder they are not.
export FLAGS := $(STD) $(WARN) $(PIC) $(subst -I$(BUILD)/gen,,$(CPPFLAGS)) $(CFLAGS) LLVM=$(LLVM_VERSION)
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$FLAGS" | cmp -s - $@ || printf '%s\n' "$$FLAGS" > $@
FORCE:

$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(compile) -c $< -o $@

$(call objs,bitcode) $(call objs,bitcode/debug): override CPPFLAGS += $(LLVM_FLAGS)

VERSIONED := $(BUILD)/obj/cli/main.o $(BUILD)/obj/session/api/session.o
$(VERSIONED): override CPPFLAGS += -DSHERD_VERSION='"$(VERSION)"'
$(VERSIONED): Makefile

define folder_rule
$(call lib,$(1)): $(call objs,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	$(Q)ar rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rule,$(f))))

$(BUILD)/sherd: $(LIBS_OF_ALL)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) -o $@ -Wl,--start-group $(LIBS_OF_ALL) -Wl,--end-group $(LDFLAGS) $(LIBS) $(LLVM_LIBS)

# `sherd cc` for build systems that want one word.
$(BUILD)/sherd-cc $(BUILD)/sherd-c++: $(BUILD)/sherd
	$(Q)ln -sf sherd $@

# The agent: code of its own and of folders that need libc only, loaded into the user's JVM. Never with sanitizers.
AGENT_FOLDERS := agent agent/probe agent/fields agent/dynamic rewrite formats/coverage formats/dynamic formats/classfile
AGENT_BASE := diag intern map mem strbuf text/utf8 vec
AGENT_SRCS := $(foreach f,$(AGENT_FOLDERS),$(call srcs,$(f))) $(AGENT_BASE:%=src/base/%.c)
AGENT_OBJS := $(patsubst src/%.c,$(BUILD)/pic/%.o,$(AGENT_SRCS))
JDK_INCLUDE ?= $(firstword $(wildcard $(JAVA_HOME)/include $(sort $(wildcard /usr/lib/jvm/*/include))))
AGENT_FLAGS := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -isystem $(JDK_INCLUDE) -isystem $(JDK_INCLUDE)/linux
agent_compile = $(CC) $(STD) $(WARN) -Iinclude -Isrc -DNDEBUG -DSHERD_VERSION='"$(VERSION)"' $(AGENT_CPPFLAGS) $(OPT) $(AGENT_CFLAGS) $(AGENT_FLAGS) -MMD -MP
$(BUILD)/pic/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(agent_compile) -c $< -o $@
ifneq ($(JDK_INCLUDE),)
$(BUILD)/libsherd-agent.so: $(AGENT_OBJS)
	$(call say,LINK,$@)
	$(Q)$(CC) $(AGENT_CFLAGS) -shared -Wl,--gc-sections -Wl,-z,defs -o $@ $^ $(AGENT_LDFLAGS)
else
$(BUILD)/libsherd-agent.so:
	@echo "no jvmti.h: the agent is not built; set JAVA_HOME to a JDK, or JDK_INCLUDE to its folder include"
endif

# A cache file is good for the sources that made it: their checksum is part of its key.
CACHE_INPUTS := $(sort $(wildcard src/base/text/textreader.[ch] src/load/*.[ch] src/load/*/*.[ch] src/ir/*.[ch] src/ir/*.def src/formats/*/*.[ch] src/formats/*/*.def))
CACHE_SOURCES := $(shell cat $(CACHE_INPUTS) | cksum | cut -d' ' -f1)
$(BUILD)/obj/load/cache.o: override CPPFLAGS += -DCACHE_SOURCES=$(CACHE_SOURCES)u
$(BUILD)/obj/load/cache.o: $(CACHE_INPUTS)

# The library behind include/sherd/sherd.h: everything below cli/, as an archive and as a shared library. The latter shows what
# sherd.h declares and nothing else, and has LLVM in it. The first number of the version is that of the soname.
SO := libsherd.so
SONAME := $(SO).$(firstword $(subst ., ,$(VERSION)))
LIBRARY_OBJS := $(foreach f,$(filter-out cli cli/%,$(FOLDERS)),$(call objs,$(f)))
$(BUILD)/libsherd.a: $(LIBRARY_OBJS)
	@rm -f $@
	$(call say,AR,$@)
	$(Q)ar rcs $@ $^
$(BUILD)/$(SO).$(VERSION): $(LIBRARY_OBJS) src/session/api/exports.map
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script,src/session/api/exports.map -o $@ $(LIBRARY_OBJS) \
		$(if $(SAN),,-Wl$(comma)-z$(comma)defs) -Wl,--exclude-libs,ALL $(LDFLAGS) $(LIBS) $(LLVM_LIBS)
$(BUILD)/$(SONAME): $(BUILD)/$(SO).$(VERSION)
	$(Q)ln -sf $(SO).$(VERSION) $@
$(BUILD)/$(SO): $(BUILD)/$(SONAME)
	$(Q)ln -sf $(SONAME) $@

# Written anew when it would be another: prefix may be given for the installation only.
define PC
prefix=$(prefix)
libdir=$(libdir)
includedir=$(includedir)

Name: sherd
Description: call graphs, points-to facts, test requirements and coverage of Java and C programs
Version: $(VERSION)
Libs: -L$${libdir} -lsherd
Libs.private: $(LIBS) $(LLVM_LIBS)
Cflags: -I$${includedir}
endef
export PC
$(BUILD)/sherd.pc: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' "$$PC" | cmp -s - $@ || printf '%s\n' "$$PC" > $@

# The models of the JDK are text in the repository and bytes in the program: jdk.model becomes jdk_model[].
$(call objs,load): | $(BUILD)/gen/jdk_model.h $(BUILD)/gen/jdk_natives.h
$(BUILD)/gen/jdk_%.h: src/load/models/jdk.%
	@mkdir -p $(@D)
	@{ echo 'static const char jdk_$*[] = {'; od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; echo '0 };'; } > $@

# The models of the C library, likewise: libc.model becomes libc_model[].
$(call objs,cmodel): | $(BUILD)/gen/libc_model.h
$(BUILD)/gen/libc_model.h: src/cmodel/libc.model
	@mkdir -p $(@D)
	@{ echo 'static const char libc_model[] = {'; od -An -v -tu1 $< | sed 's/[0-9][0-9]*/&,/g'; echo '0 };'; } > $@

# The page of the HTML report, likewise: report.css becomes report_css[].
$(call objs,report/coverage/html): | $(BUILD)/gen/report_css.h $(BUILD)/gen/report_js.h $(BUILD)/gen/report_html.h
PAGE_JS := $(addprefix src/report/page/,common.js elements.js)
REPORT_JS := data words address java calls alarm ladder trend overview class lists chains flame page
$(BUILD)/gen/report_js.h: $(PAGE_JS) $(REPORT_JS:%=src/report/coverage/html/%.js)
$(BUILD)/gen/report_css.h: $(addprefix src/report/,page/page.css coverage/html/report.css)
$(BUILD)/gen/report_html.h: src/report/coverage/html/report.html
# That of an application's calls, and the library that draws it: cytoscape.js says how that is made.
$(call objs,report/graph/html): | $(BUILD)/gen/calls_css.h $(BUILD)/gen/calls_js.h $(BUILD)/gen/calls_html.h $(BUILD)/gen/calls_library.h
CALLS_JS := data address place graph details list page
$(BUILD)/gen/calls_js.h: $(PAGE_JS) $(CALLS_JS:%=src/report/graph/html/%.js)
$(BUILD)/gen/calls_css.h: $(addprefix src/report/,page/page.css graph/html/calls.css)
$(BUILD)/gen/calls_html.h: src/report/graph/html/calls.html
$(BUILD)/gen/calls_library.h: src/report/graph/html/cytoscape.js
$(foreach p,css js html,$(BUILD)/gen/report_$(p).h) $(foreach p,css js html library,$(BUILD)/gen/calls_$(p).h):
	@mkdir -p $(@D)
	@{ echo 'static const char $(basename $(@F))[] = {'; cat $^ | od -An -v -td1 | sed 's/[0-9][0-9]*/&,/g'; echo '0 };'; } > $@

# A unit test, or a fuzz target, names the folders it links on its second line: // links: base formats/archive
# A folder that has rooms brings them along.
rooms = $(filter $(1) $(1)/%,$(FOLDERS))
links = $(foreach f,$(shell sed -n '2s,^// links:,,p' $(1)),$(foreach r,$(call rooms,$(f)),$(call lib,$(r))))
# $(1) source, $(2) program, $(3) more flags
define linked_rule
$(2): $(1) $(call links,$(1))
	@mkdir -p $$(@D)
	$(call say,LINK,$(2))
	$(Q)$$(compile) -UNDEBUG -o $$@ $(1) -Wl,--start-group $(call links,$(1)) -Wl,--end-group $$(LDFLAGS) $(3) $$(LIBS) $(if $(findstring bitcode,$(call links,$(1))),$(LLVM_LIBS))
endef
UNITS := $(filter-out tests/unit/report/test_criterion.c $(if $(LLVM_CONFIG),,tests/unit/c/test_bitcode%.c),$(wildcard tests/unit/*/test_*.c))
$(BUILD)/tests/test_bitcode_types: override CPPFLAGS += $(LLVM_FLAGS)
$(BUILD)/tests/test_exhausted: override LDFLAGS += -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
UNIT_BINS := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(UNITS))))
$(foreach t,$(UNITS),$(eval $(call linked_rule,$(t),$(BUILD)/tests/$(basename $(notdir $(t))),-lcmocka)))
# Helpers of the oracle tests, benchmarks and experiments are built the same way.
# Those about C need LLVM, and one of them its headers.
C_ORACLES := tests/oracle/cinstrument.c tests/oracle/cexec.c tests/oracle/claws.c tests/oracle/cirdump.c tests/oracle/cref.c tests/bench/cmod.c tests/bench/csummary.c
ORACLES := $(filter-out $(if $(LLVM_CONFIG),,$(C_ORACLES)),$(wildcard tests/oracle/*.c tests/bench/*.c tests/experiments/*.c))
$(BUILD)/tests/cinstrument: override CPPFLAGS += $(LLVM_FLAGS)
ORACLE_BINS := $(addprefix $(BUILD)/tests/,$(basename $(notdir $(ORACLES))))
$(foreach t,$(ORACLES),$(eval $(call linked_rule,$(t),$(BUILD)/tests/$(basename $(notdir $(t))),-lm)))

# With one criterion more than sherd has, to show that a row is all it takes: everything that includes criteria.def, once more.
# The libraries give the rest; linkers take from them only what these objects do not define.
CRITERION_SRCS := $(filter-out src/cli/main.c,$(foreach f,coverage report/coverage report/coverage/next report/coverage/html session/artifact session/next cli cli/verbs,$(call srcs,$(f)))) src/session/api/coverage.c
CRITERION_OBJS := $(patsubst src/%.c,$(BUILD)/criterion/%.o,$(CRITERION_SRCS))
$(BUILD)/criterion/%.o: src/%.c
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(compile) -DSHERD_TEST_CRITERION -c $< -o $@
$(filter $(BUILD)/criterion/report/%,$(CRITERION_OBJS)): | $(BUILD)/gen/report_css.h $(BUILD)/gen/report_js.h $(BUILD)/gen/report_html.h
CRITERION_UNDER_TEST := $(filter-out $(BUILD)/criterion/cli/%,$(CRITERION_OBJS)) $(BUILD)/criterion/cli/verbs/gate.o $(BUILD)/criterion/cli/verbs/component.o
$(BUILD)/tests/sherd-criterion: $(CRITERION_OBJS) $(LIBS_OF_ALL)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) -o $@ $(CRITERION_OBJS) -Wl,--start-group $(LIBS_OF_ALL) -Wl,--end-group $(LDFLAGS) $(LIBS) $(LLVM_LIBS)
$(BUILD)/tests/test_criterion: tests/unit/report/test_criterion.c $(CRITERION_UNDER_TEST) $(LIBS_OF_ALL)
	@mkdir -p $(@D)
	$(call say,LINK,$@)
	$(Q)$(compile) -DSHERD_TEST_CRITERION -UNDEBUG -o $@ $< $(CRITERION_UNDER_TEST) -Wl,--start-group $(LIBS_OF_ALL) -Wl,--end-group $(LDFLAGS) -lcmocka $(LIBS) $(LLVM_LIBS)
units: $(UNIT_BINS) $(ORACLE_BINS) $(BUILD)/tests/test_criterion $(BUILD)/tests/sherd-criterion

FUZZERS := $(wildcard tests/fuzz/fuzz_*.c)
FUZZ_BINS := $(patsubst tests/fuzz/%.c,$(BUILD)/bin/%,$(FUZZERS))
$(foreach t,$(FUZZERS),$(eval $(call linked_rule,$(t),$(BUILD)/bin/$(basename $(notdir $(t))),-fsanitize=fuzzer)))
$(BUILD)/bin/fuzz_bitcode: override CPPFLAGS += $(LLVM_FLAGS)
fuzzers: $(FUZZ_BINS)

# What needs other packages asks tools/deps for them first, hence a second make for the building.
AGAIN = +@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc))
GROUPS ?=
FUZZ_SECONDS ?= 60

# Three tiers: what a minute can tell, what a change must pass, and everything (tools/check says more).
check-quick: all units
	@BUILD=$(BUILD) TIER=quick tools/check $(GROUPS)

check:
	@tools/deps check
	$(AGAIN) all units
	@BUILD=$(BUILD) TIER=normal tools/check $(GROUPS)

check-all:
	@tools/deps check
	@tools/deps fuzz
	$(AGAIN) all units
	@BUILD=$(BUILD) TIER=all tools/check $(GROUPS)

demo:
	@tools/deps demo
	$(AGAIN) all
	@BUILD=$(BUILD) examples/demo

bless: all
	@BUILD=$(BUILD) tests/golden/run --bless

bench:
	@tools/deps bench
	$(AGAIN) all $(BUILD)/tests/readlimit
	@BUILD=$(BUILD) tests/bench/run $(BENCH)

# docs/experiments/polymorphism.md, measured anew; EXPERIMENTS=--help names the options
experiments-polymorphism:
	@tools/deps bench
	$(AGAIN) all $(BUILD)/tests/tables
	@BUILD=$(BUILD) tests/experiments/run --save --docs $(EXPERIMENTS)

# What the agent costs beside JaCoCo's, on real suites; BENCH=--help names the options
bench-agent:
	@tools/deps agent
	$(AGAIN) all
	@BUILD=$(BUILD) tests/bench/agent/run $(BENCH)

# Points-to analysis of C programs, beside SVF's figures; BENCH=--help names the options
bench-c:
	@tools/deps c
	$(AGAIN) all $(BUILD)/tests/cmod
	@BUILD=$(BUILD) tests/bench/c/run $(BENCH)

# docs/experiments/coverage.md, measured anew
experiments-coverage:
	@tools/deps agent
	$(AGAIN) all
	@BUILD=$(BUILD) tests/experiments/coverage/run --save --docs $(EXPERIMENTS)

# docs/experiments/dynamic.md, measured anew; EXPERIMENTS=--help names the options
experiments-dynamic:
	@tools/deps bench
	$(AGAIN) all
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 tests/experiments/dynamic/run --save --docs $(EXPERIMENTS)

# docs/experiments/chains.md, measured anew; EXPERIMENTS=--help names the options
experiments-chains:
	@tools/deps agent
	$(AGAIN) all
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 tests/experiments/chains/run --save --docs $(EXPERIMENTS)

# docs/experiments/callbacks.md, measured anew; EXPERIMENTS=--help names the options
experiments-callbacks:
	@tools/deps bench
	$(AGAIN) all $(BUILD)/tests/callgrowth
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 tests/experiments/callbacks/run --save --docs $(EXPERIMENTS)

# docs/experiments/c-summaries.md, measured anew; EXPERIMENTS=--help names the options
experiments-c:
	@tools/deps c
	$(AGAIN) all $(BUILD)/tests/csummary
	@BUILD=$(BUILD) PYTHONDONTWRITEBYTECODE=1 tests/experiments/c/run --save --docs $(EXPERIMENTS)

# Summaries of C libraries, from Debian's sources, in $(BUILD)/summaries
summaries:
	@tools/deps c
	$(AGAIN) all
	@BUILD=$(BUILD) tools/summaries

fuzz:
	@tools/deps fuzz
	$(AGAIN) fuzzers BUILD=$(BUILD)/fuzz CC=clang OPT='-O1 -g -UNDEBUG' SAN=fuzzer-no-link,address,undefined
	@tools/fuzz $(BUILD)/fuzz $(FUZZ_SECONDS) $(FUZZ)

layers:
	@tools/layers

format-check:
	@tools/format

MAN := $(patsubst docs/man/%.scd,$(BUILD)/man/%,$(wildcard docs/man/*.1.scd))
man: $(MAN)
$(BUILD)/man/%: docs/man/%.scd
	@mkdir -p $(@D)
	scdoc < $< > $@

PYTHON := $(wildcard python/sherd/*.py)
install: all man
	install -d $(DESTDIR)$(bindir) $(DESTDIR)$(mandir)/man1
	install -m 755 $(BUILD)/sherd $(DESTDIR)$(bindir)/sherd
	ln -sf sherd $(DESTDIR)$(bindir)/sherd-cc
	ln -sf sherd $(DESTDIR)$(bindir)/sherd-c++
	install -D -m 644 $(BUILD)/libsherd.a $(DESTDIR)$(libdir)/libsherd.a
	install -m 644 $(BUILD)/$(SO).$(VERSION) $(DESTDIR)$(libdir)/$(SO).$(VERSION)
	ln -sf $(SO).$(VERSION) $(DESTDIR)$(libdir)/$(SONAME)
	ln -sf $(SONAME) $(DESTDIR)$(libdir)/$(SO)
	install -D -m 644 $(BUILD)/sherd.pc $(DESTDIR)$(libdir)/pkgconfig/sherd.pc
	install -D -m 644 $(BUILD)/libsherd-agent.so $(DESTDIR)$(libdir)/sherd/libsherd-agent.so
	install -D -m 644 include/sherd/sherd.h $(DESTDIR)$(includedir)/sherd/sherd.h
	install -d $(DESTDIR)$(pythondir)/sherd
	install -m 644 $(PYTHON) $(DESTDIR)$(pythondir)/sherd
	install -m 644 $(MAN) $(DESTDIR)$(mandir)/man1
	install -D -m 644 completions/sherd.bash $(DESTDIR)$(datadir)/bash-completion/completions/sherd
	install -D -m 644 completions/_sherd $(DESTDIR)$(datadir)/zsh/site-functions/_sherd

uninstall:
	rm -f $(DESTDIR)$(libdir)/libsherd.a $(DESTDIR)$(libdir)/sherd/libsherd-agent.so $(DESTDIR)$(includedir)/sherd/sherd.h
	rm -f $(addprefix $(DESTDIR)$(libdir)/,$(SO) $(SONAME) $(SO).$(VERSION) pkgconfig/sherd.pc)
	rm -rf $(DESTDIR)$(pythondir)/sherd
	rm -f $(DESTDIR)$(bindir)/sherd $(DESTDIR)$(bindir)/sherd-cc $(DESTDIR)$(bindir)/sherd-c++ $(patsubst $(BUILD)/man/%,$(DESTDIR)$(mandir)/man1/%,$(MAN))
	rm -f $(DESTDIR)$(datadir)/bash-completion/completions/sherd $(DESTDIR)$(datadir)/zsh/site-functions/_sherd

clean:
	rm -rf $(BUILD)

-include $(ALL_OBJS:.o=.d) $(CRITERION_OBJS:.o=.d) $(BUILD)/tests/test_criterion.d $(AGENT_OBJS:.o=.d) $(UNIT_BINS:=.d) $(ORACLE_BINS:=.d) $(FUZZ_BINS:=.d)
.PHONY: all units fuzzers check check-all check-quick demo bless bench bench-agent bench-c experiments-polymorphism experiments-coverage experiments-dynamic experiments-chains experiments-callbacks experiments-c summaries fuzz layers format-check man install uninstall clean
.DELETE_ON_ERROR:
