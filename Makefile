.DEFAULT_GOAL := help
.PHONY: help build test demo run lint tsan fuzz bench install clean

SWIFT_FLAGS := --traits default,InotifyTools,Compression,OpenCombine

TSAN_FLAGS := --scratch-path .build/tsan $(SWIFT_FLAGS) --disable-xctest --sanitize thread -Xswiftc -DTSAN

PREFIX ?= /usr/local
DESTDIR ?=

# Without the macros, so that packaging never compiles swift-syntax; the Swift runtime inside, so that the
# command starts fast and needs no toolchain.
TOOL_FLAGS := -c release --product prefs --disable-default-traits --static-swift-stdlib -Xlinker -s \
	--scratch-path .build/install

help: ## What there is to make
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## Build the package
	@./Scripts/setup
	swift build $(SWIFT_FLAGS)

test: ## Run every test
	@./Scripts/test

demo: ## See edited files reach a running daemon
	@./Scripts/demo

run: ## Run the example daemon on your own configuration until ^C
	@./Scripts/setup
	swift run --package-path Examples --scratch-path .build LiveReloadDaemon

lint: ## Formatting, warnings as errors, undeclared imports
	@./Scripts/lint

tsan: ## Run every test under ThreadSanitizer
	@./Scripts/setup
	swift test $(TSAN_FLAGS) --filter FileWatchingTests
	swift test $(TSAN_FLAGS) --skip-build --skip FileWatchingTests

fuzz: ## Fuzz the parsers and the editor for SECONDS (60) per target
	@./Scripts/setup
	./Scripts/fuzz $(or $(SECONDS),60)

bench: ## Measure everything beside floors and peers into Benchmarks/RESULTS.md, or only ROW=typed
	@./Scripts/setup
	./Scripts/bench $(ROW)

install: ## Install the command prefs, its man page and completions (PREFIX=/usr/local, DESTDIR=)
	swift build $(TOOL_FLAGS)
	@./share/install-tool "$$(swift build $(TOOL_FLAGS) --show-bin-path)/prefs" "$(DESTDIR)$(PREFIX)"

clean: ## Remove what was built
	rm -rf .build
