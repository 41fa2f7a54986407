# A newcomer needs `make serve` and `make test`. `make help` lists the rest.

# Stages run one after the other; `time` is bash's, and prints the seconds of each.
SHELL = /bin/bash
export TIMEFORMAT = → %0R s, CPU %0U s
.NOTPARALLEL:

BUILD_PACKAGES = libsqlite3-dev libssl-dev libnghttp2-dev zlib1g-dev libpq-dev python3
TEST_PACKAGES  = $(BUILD_PACKAGES) curl openssl python3-venv nghttp2-client chromium postgresql sqlite3 systemd mandoc prometheus faketime
# The clients and proxies of Tests/e2e.
CLIENTS        = wget nginx-light libnginx-mod-stream haproxy golang-go nodejs openjdk-17-jdk-headless
RELEASE_PACKAGES = debhelper binutils git
BENCH_PACKAGES = $(BUILD_PACKAGES) gcc libc6-dev wrk nghttp2-client valgrind postgresql \
                 nginx-light h2o golang-go nodejs libcurl4-openssl-dev libxml2-dev

# The example that `make serve` runs; plugboard and orders are built beside it.
SERVER = .build/release/photos

# Installs the missing Debian packages, and names them. Prometheus' unit is masked first: tests start their own. Its recommended
# exporter, which watches the machine, is left out. Swift is no Debian package: prints its address instead.
define install
	@command -v swift >/dev/null && command -v clang >/dev/null || \
		{ echo "Swift 6.3 is missing: https://www.swift.org/install/linux"; exit 69; }
	@missing=$$(for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || echo $$p; done); \
	if [ -n "$$missing" ]; then \
		echo "Installing the missing system packages:" $$missing; \
		sudo=; [ "$$(id -u)" -eq 0 ] || sudo=sudo; \
		case "$$missing" in *prometheus*) \
			$$sudo mkdir -p /etc/systemd/system; \
			$$sudo ln -sfn /dev/null /etc/systemd/system/prometheus.service; \
			dpkg -s prometheus-node-exporter >/dev/null 2>&1 || missing="$$missing prometheus-node-exporter-" ;; \
		esac; \
		$$sudo apt-get update -qq && \
		$$sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get install -y -qq $$missing >/dev/null; \
	fi
endef

.PHONY: help
help: ## lists the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

.PHONY: packages
packages: ## installs the Debian packages that the build needs
	$(call install,$(BUILD_PACKAGES))

.PHONY: build
build: packages ## builds plugboard and the examples, in release
	packaging/build

.PHONY: serve
serve: build ## builds, and serves the photos on 127.0.0.1:8080 (ARGS="--port 9000" for more)
	@exec $(SERVER) serve $(ARGS)

.PHONY: install
install: packages ## installs plugboard, its units, manual page and samples in PREFIX (default /usr/local)
	packaging/build plugboard
	packaging/install $(or $(PREFIX),/usr/local) "$(DESTDIR)" .build/release/plugboard

.PHONY: release
release: packages ## builds a tarball, a Debian package and their checksums in dist/
	$(call install,$(RELEASE_PACKAGES))
	packaging/build plugboard
	packaging/release

.PHONY: test-release
test-release: release ## installs the release in fresh containers, upgrades and removes it
	packaging/release-test

# Python packages of the tests: readers of the API's description, HTTP clients, flagd's evaluator, the validator of Kubernetes'
# manifests, the model of Grafana 10.1, and the driver of Chromium with axe-core. The tests were written for these versions. The second evaluator is the last one
# with the same hash for fractions as ours.
VENV = .build/venv
$(VENV)/ready: Makefile
	python3 -m venv $(VENV)
	$(VENV)/bin/pip install -q openapi-spec-validator==0.9.0 schemathesis==4.32.5 openapi-python-client==0.29.1 \
		openfeature-flagd-core==2.0.0 kubernetes-validate==1.37.0 requests==2.34.2 httpx[http2]==0.28.1 aiohttp==3.14.5 h2==4.4.1 \
		'grafana-foundation-sdk==1769699998!10.1.0' playwright==1.57.0 axe-playwright-python==0.1.8
	$(VENV)/bin/pip install -q --upgrade --no-deps --target $(VENV)/flagd-core-1 openfeature-flagd-core==1.0.0
	touch $@

# The number of kill -9 in Tests/e2e/kill-lines.
KILLS = 50
# The number of requests during each rolling restart in Tests/e2e/rolling-lines.
ROLLING = 4000
# The seed of the random types in Tests/e2e/types-lines.
SEED = 1

# The part of the checks that `test` and `test-all` share. Each says what it took.
.PHONY: checks
checks:
	$(call install,$(TEST_PACKAGES) $(CLIENTS))
	$(MAKE) $(VENV)/ready
	time swift build --build-tests
	time packaging/docs
	$(MAKE) console-size
	time PLUGBOARD_TEST_SERVER=$(CURDIR)/.build/debug/photos Tests/run --skip-build
	time PLUGBOARD_KILLS=$(KILLS) PLUGBOARD_SEED=$(SEED) PLUGBOARD_ROLLING=$(ROLLING) Tests/e2e/run .build/debug/photos
	time Tests/Fuzz/run 0

.PHONY: test
test: checks test-races ## runs every test, and the concurrent ones again under the thread sanitizer

.PHONY: test-all
test-all: KILLS = 700
test-all: ROLLING = 20000
test-all: SEED := $(shell date +%Y%m%d)
test-all: checks test-cluster test-tsan test-asan test-docker test-release soak ## runs every test, 700 kills, other random types, a cluster's faults, both sanitizers, containers, ten minutes of load, and h2spec if it is installed
	if command -v $(or $(H2SPEC),h2spec); then $(MAKE) test-h2spec; else echo "h2spec is not installed: skipped"; fi

.PHONY: test-abuse
test-abuse: ## abuses the server, and checks that it serves meanwhile and recovers
	$(call install,$(TEST_PACKAGES))
	swift build --product photos
	Tests/e2e/run .build/debug/photos Tests/abuse/abuse Tests/abuse/abuse-http2

.PHONY: test-cluster
test-cluster: ## kills, stops, freezes and cuts off parts of a cluster: three servers, haproxy and PostgreSQL
	$(call install,$(TEST_PACKAGES) $(CLIENTS))
	swift build --product photos
	Tests/e2e/run .build/debug/photos Tests/cluster/cluster

.PHONY: soak
soak: ## keeps servers under mixed load for SECONDS (default 600), and fails if memory or descriptors grow
	$(call install,$(TEST_PACKAGES))
	packaging/build photos
	SECONDS=$(or $(SECONDS),600) Tests/soak/soak $(SERVER)

.PHONY: test-h2spec
test-h2spec: ## runs h2spec against the server; H2SPEC is its path (default: h2spec)
	$(call install,$(TEST_PACKAGES))
	swift build --product photos
	Tests/h2spec .build/debug/photos $(H2SPEC)

# PLUGBOARD_TEST_TARGETS leaves these tests and the modules that they need in Package.swift, so nothing else is built. The random
# documents of views are left out: they are one thread's, and take minutes under the sanitizer.
RACES = SystemTests,PlugTests,HTTPServerTests,BehaviorStoreTests,StorageTests,BehaviorClientTests,HTTPTransportTests,PlugboardClientTests,PhotoAppTests
.PHONY: test-races
test-races: export PLUGBOARD_TEST_TARGETS = $(RACES)
test-races: ## runs the tests of Plug, HTTPServer, the clients, grouped writes and the store's changes under the thread sanitizer
	$(call install,$(TEST_PACKAGES))
	time swift build --build-tests --sanitize=thread --scratch-path .build-races
	time Tests/run --skip-build --sanitize=thread --scratch-path .build-races \
		--skip JSONViewFuzz --filter '^(PlugTests|HTTPServerTests|HTTPTransportTests|PlugboardClientTests|BehaviorClientTests|PhotoAppTests)\.|SystemTests.FileDescriptorTests|StorageTests.(GroupWriter|WriteLimits)Tests|BehaviorStoreTests.(BehaviorDocuments|StoreFollower|DocumentPatch)Tests'

.PHONY: test-tsan
test-tsan: ## runs the Swift tests and their servers under the thread sanitizer
	$(call sanitized,thread,.build-tsan)

.PHONY: test-asan
test-asan: ## runs the Swift tests and their servers under the address sanitizer
	$(call sanitized,address,.build-asan)

define sanitized
	$(call install,$(TEST_PACKAGES))
	time swift build --build-tests --sanitize=$(1) --scratch-path $(2)
	time PLUGBOARD_TEST_SERVER=$(CURDIR)/$(2)/debug/photos Tests/run --skip-build --sanitize=$(1) --scratch-path $(2)
endef

.PHONY: console-size
console-size: ## prints the compressed size of each page of the console, and fails beyond its limit
	Tests/console/size

.PHONY: test-console
test-console: ## drives the console in Chromium: flows by pointer and keyboard, axe-core on every page
	$(call install,$(TEST_PACKAGES))
	$(MAKE) $(VENV)/ready
	swift build --product photos
	Tests/e2e/run .build/debug/photos Tests/console/board Tests/console/behaviors Tests/console/pages

.PHONY: bench-console
bench-console: build ## measures the board's first paint, and its tasks and heap under 2,000 requests per second for SECONDS (default 600)
	$(call install,$(TEST_PACKAGES) wrk)
	$(MAKE) $(VENV)/ready
	Tests/console/paint $(SERVER)
	Tests/console/load $(SERVER)

.PHONY: fuzz
fuzz: ## fuzzes the parsers, SECONDS each (default 600)
	$(call install,$(BUILD_PACKAGES))
	Tests/Fuzz/run $(or $(SECONDS),600)

.PHONY: bench
bench: ## measures the server beside other servers (ARGS="--quick" for a look)
	$(call install,$(BENCH_PACKAGES))
	packaging/build
	@echo "Building the Swift peers: the first time it takes five to ten minutes."
	swift build -c release --static-swift-stdlib --package-path Benchmarks/Peers
	swift run -c release --package-path Benchmarks
	Benchmarks/bench $(ARGS)

.PHONY: bench-behaviors
bench-behaviors: ## measures an app's start from its stored document, and fails above twice the time of decoding it
	swift run -c release --package-path Benchmarks BehaviorStart

.PHONY: bench-views
bench-views: ## measures reading 3 of 200 members, and fails if a view isn't five times as fast as Codable
	swift run -c release --package-path Benchmarks ViewCost

.PHONY: bench-plugs
bench-plugs: ## measures what finding a plug and evaluating rules cost, and fails above the committed thresholds
	$(call install,$(BUILD_PACKAGES))
	Benchmarks/Plugs/check

.PHONY: docker
docker: ## builds the container image
	docker build -f docker/Dockerfile -t plugboard .

.PHONY: test-docker
test-docker: build ## builds the image, also from the sources, and drives real containers, one of them with systemd
	time docker/test $(SERVER)
	time docker/systemd $(SERVER)
	time docker/compile

SWIFT = Sources Examples Tests Benchmarks/Sources Benchmarks/Package.swift Benchmarks/Peers/Sources \
        Benchmarks/Peers/Package.swift Benchmarks/Plugs/Benchmarks Benchmarks/Plugs/Package.swift Package.swift

.PHONY: format
format: ## formats the sources
	swift format -i -p -r $(SWIFT)

.PHONY: options
options: ## writes the tables of Documentation/Options.md from the declarations
	PLUGBOARD_TEST_WRITES_OPTIONS=1 swift test --disable-xctest --filter OptionsPageTests

.PHONY: docs
docs: packages ## builds the documentation of every library with DocC, in .build/documentation
	swift build
	packaging/docs

.PHONY: lint
lint: ## checks the sources' format, their imports, and the language of comments and documentation
	swift format lint --strict -p -r $(SWIFT)
	Tests/prose
	Tests/imports

.PHONY: clean
clean: ## removes what was built
	rm -rf dist .build .build-races .build-tsan .build-asan .build-fuzz Benchmarks/.build Benchmarks/Peers/.build \
		Benchmarks/Plugs/.build
