.DEFAULT_GOAL := help
.PHONY: help build test demo demo-fleet demo-relay demo-notes run lint tsan fuzz complexity soak bench docs install deb deb-daemon clean

TRAITS := --traits $(shell . ./Scripts/environment && echo $$all_traits)

# As in Scripts/environment.
BUILD := SWIFT_DETERMINISTIC_HASHING=1 swift build --disable-index-store

# The suites that keep every processor busy, each apart from the others: under ThreadSanitizer, the Swift runtime takes a
# mutex whenever it looks up the metadata of a generic type, and the threads of two of them do little but wait for it.
TSAN_SLOW := EngineConcurrencyTests EngineModelTests LeakTests ReferenceModel
TSAN_FLAGS := --scratch-path .build/tsan --disable-index-store $(TRAITS) --disable-xctest --enable-swift-testing --sanitize thread -Xswiftc -DTSAN

PREFIX ?= /usr/local
DESTDIR ?=

# Without the macros, so that packaging never compiles swift-syntax; with the Swift runtime linked statically,
# so that the tool starts fast and needs no toolchain. Small code takes fewer pages to start; the runtime exports every
# public symbol unless it is told not to, and so keeps what nothing calls; what has to be relocated at the start is
# packed, which needs glibc 2.36; and there is no index of the unwind tables, which only C++ exceptions need (debuggers
# read the tables themselves). YAML needs libyaml, and `prefs fleet` the trait Etcd, and with it libcurl.
TOOL_TRAITS ?= YAML
TOOL_FLAGS := -c release --product prefs --traits $(TOOL_TRAITS) --static-swift-stdlib -Xswiftc -Osize \
	-Xswiftc -use-ld=lld -Xlinker -s -Xlinker --no-export-dynamic -Xlinker --icf=safe \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-eh-frame-hdr --scratch-path .build/install

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## Build the package
	@./Scripts/setup
	$(BUILD) $(TRAITS)

test: ## Run all tests
	@./Scripts/test

demo: ## Demonstrate how a running daemon receives edits of its files
	@./Scripts/demo

demo-fleet: ## Demonstrate daemons that share settings through three etcd members, as these fail
	@./Scripts/demo-fleet

demo-relay: ## Demonstrate structs, durations and a live log level, and what becomes of wrong ones
	@./Scripts/demo-relay

demo-notes: ## Demonstrate a program of a user, whose processes save settings at the same time
	@./Scripts/demo-notes

run: ## Run the example daemon on your own configuration until ^C
	@./Scripts/setup
	swift run --disable-index-store --package-path Examples --scratch-path .build LiveReloadDaemon

lint: ## Check formatting, warnings and undeclared imports
	@./Scripts/lint

tsan: ## Run all tests under ThreadSanitizer
	@./Scripts/setup
	swift test $(TSAN_FLAGS) --filter FileWatchingTests
	swift test $(TSAN_FLAGS) --skip-build --filter LayeredPrefsEtcdTests
	swift test $(TSAN_FLAGS) --skip-build --skip FileWatchingTests --skip LayeredPrefsEtcdTests \
		$(addprefix --skip ,$(TSAN_SLOW))
	for suite in $(TSAN_SLOW); do swift test $(TSAN_FLAGS) --skip-build --filter $$suite || exit; done

fuzz: ## Fuzz the parsers and the editor for SECONDS (60) in total
	@./Scripts/setup
	./Scripts/fuzz $(or $(SECONDS),60)

soak: ## Compare the engine with its model on TRACES (100000) random traces; write one file from all sides for SECONDS (3600), count and change properties in two processes 1000 times, save files in all ways 100 times, and 10,000 times at random, attack locks, look for leaks
	@./Scripts/setup
	./Scripts/soak $(or $(TRACES),100000)
	LAYEREDPREFS_SECONDS=$(or $(SECONDS),3600) LAYEREDPREFS_SAVES=100 LAYEREDPREFS_UPDATES=1000 LAYEREDPREFS_CHANGES=1000 ATTACKS=10240 LEAKS=2000 ./Scripts/test \
		--filter 'LostWriteTests|ConcurrentUpdateTests|ChangeInPlaceProcessTests|LockAttackTests|LeakTests|SavingTests'

complexity: ## Check that the cost of every shape of input is in proportion to its size, up to KIB (16384)
	@./Scripts/setup guard
	./Scripts/complexity --from 64 --to $(or $(KIB),16384)

bench: ## Run all benchmarks and write Benchmarks/RESULTS.md, or print only ROW=typed
	@./Scripts/setup
	./Scripts/bench $(ROW)

docs: ## Build the documentation of all modules as a static site in .build/site
	@./Scripts/setup checks
	$(BUILD) $(TRAITS)
	./Scripts/docs

install: ## Install the tool prefs, its man page and completions (PREFIX=/usr/local, DESTDIR=, TOOL_TRAITS=YAML)
	$(BUILD) $(TOOL_FLAGS)
	@./share/install-tool "$$($(BUILD) $(TOOL_FLAGS) --show-bin-path)/prefs" "$(DESTDIR)$(PREFIX)"

deb: ## Build the Debian package of the tool in .build/deb (TOOL_TRAITS=YAML)
	$(BUILD) $(TOOL_FLAGS)
	@./share/make-deb "$$($(BUILD) $(TOOL_FLAGS) --show-bin-path)/prefs" .build/deb

EXAMPLES := --package-path Examples --scratch-path .build --product LiveReloadDaemon

deb-daemon: ## Build the Debian package of the example daemon, from its debug build, in .build/deb
	$(BUILD) $(EXAMPLES)
	@./share/make-daemon-deb "$$($(BUILD) $(EXAMPLES) --show-bin-path)/LiveReloadDaemon" .build/deb

clean: ## Remove the build products
	rm -rf .build
