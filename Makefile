# sherd: one Makefile. `make` builds, `make check` tests, `make demo` shows; see README.md.
CC ?= gcc
BUILD ?= build
SAN ?=
STD := -std=c11 -D_POSIX_C_SOURCE=200809L
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
OPT ?= -O2 -g
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
LIBS := -ldeflate -lsqlite3 -lpthread

# Folders, lowest first: a folder's code may use only folders before it (tools/layers has the exact table).
FOLDERS := base algo formats/archive formats/classfile ir load analysis/hierarchy analysis/callgraph report session cli
srcs = $(wildcard src/$(1)/*.c)
objs = $(patsubst src/%.c,$(BUILD)/obj/%.o,$(call srcs,$(1)))
lib = $(BUILD)/lib/lib$(subst /,-,$(1)).a
ALL_OBJS := $(foreach f,$(FOLDERS),$(call objs,$(f)))
LIBS_OF_ALL = $(foreach f,$(FOLDERS),$(if $(call srcs,$(f)),$(call lib,$(f))))

all: $(BUILD)/sherd

$(BUILD)/obj/%.o: src/%.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

define folder_rule
$(call lib,$(1)): $(call objs,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	ar rcs $$@ $$^
endef
$(foreach f,$(FOLDERS),$(eval $(call folder_rule,$(f))))

$(BUILD)/sherd: $(LIBS_OF_ALL)
	$(CC) $(CFLAGS) -o $@ -Wl,--start-group $(LIBS_OF_ALL) -Wl,--end-group $(LDFLAGS) $(LIBS)

# A unit test names the folders it links on its second line: // links: base formats/archive
links = $(foreach f,$(shell sed -n '2s,^// links:,,p' $(1)),$(call lib,$(f)))
define unit_rule
$(BUILD)/tests/$(basename $(notdir $(1))): $(1) $(call links,$(1))
	@mkdir -p $$(@D)
	$(CC) $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) -UNDEBUG -MMD -MP -o $$@ $(1) -Wl,--start-group $(call links,$(1)) -Wl,--end-group $(LDFLAGS) -lcmocka $(LIBS)
endef
UNITS := $(wildcard tests/unit/test_*.c)
$(foreach t,$(UNITS),$(eval $(call unit_rule,$(t))))
UNIT_BINS := $(patsubst tests/unit/%.c,$(BUILD)/tests/%,$(UNITS))
units: $(UNIT_BINS)

clean:
	rm -rf $(BUILD)

-include $(ALL_OBJS:.o=.d)
.PHONY: all units clean
