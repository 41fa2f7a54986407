// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

let strict: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Packages that don't enable the trait neither fetch nor build swift-syntax.
let macros: TargetDependencyCondition? = .when(traits: ["Macros"])

let package = Package(
    name: "plugboard",
    platforms: [.iOS(.v18), .macOS(.v15)],
    products: [
        .library(name: "Plug", targets: ["Plug"]),
        .library(name: "PlugHTTP", targets: ["PlugHTTP"]),
        .library(name: "Behaviors", targets: ["Behaviors"]),
        .library(name: "Targeting", targets: ["Targeting"]),
        .library(name: "Plugboard", targets: ["Plugboard"]),
        .library(name: "PlugboardClient", targets: ["PlugboardClient"]),
        .library(name: "PlugboardMacros", targets: ["PlugboardMacros"]),
        .library(name: "BehaviorClient", targets: ["BehaviorClient"]),
        .library(name: "PlugTesting", targets: ["PlugTesting"]),
        .library(name: "PlugboardTesting", targets: ["PlugboardTesting"]),
        .library(name: "PlugboardCommand", targets: ["PlugboardCommand"]),
        .library(name: "Storage", targets: ["Storage"]),
        .library(name: "PostgreSQL", targets: ["PostgreSQL"]),
        .executable(name: "plugboard", targets: ["PlugboardCLI"]),
        .executable(name: "photos", targets: ["Photos"]),
        .executable(name: "orders", targets: ["Orders"]),
        .executable(name: "todo", targets: ["Todo"]),
        .executable(name: "photoapp", targets: ["PhotoApp"]),
    ],
    traits: [
        .trait(
            name: "Macros",
            description: "The macros @View, @Key and @Module of PlugboardMacros, with swift-syntax."
        )
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swiftlang/swift-syntax", "602.0.0"..<"604.0.0"),
    ],
    targets: [
        // The base: the only lock, which the thread sanitizer knows.
        .target(name: "Locking", swiftSettings: strict),

        // Below all, too: the calendar of HTTP's dates and of JSON's timestamps.
        .target(name: "CivilDate", swiftSettings: strict),

        // Below all, too: the hash of documents' tags and of plugs' shares.
        .target(name: "FNV", swiftSettings: strict),

        // Imported by apps: without Linux; system libraries only if there is no URLSession.
        .target(
            name: "JSONCodec",
            dependencies: ["Locking", "CivilDate"],
            swiftSettings: strict
        ),
        .target(name: "JSONPatch", dependencies: ["JSONCodec"], swiftSettings: strict),
        .target(name: "HTTPSyntax", dependencies: ["CivilDate"], swiftSettings: strict),
        .target(name: "Plug", dependencies: ["Locking", "FNV"], swiftSettings: strict),
        .target(
            name: "PlugHTTP",
            dependencies: [
                "Plug", "HTTPSyntax", "JSONCodec",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ContractGenerator",
            dependencies: [
                "PlugHTTP", "JSONCodec", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(name: "PlugTesting", dependencies: ["Plug", "Locking"], swiftSettings: strict),
        .target(name: "Behaviors", dependencies: ["JSONCodec"], swiftSettings: strict),
        .target(
            name: "Targeting",
            dependencies: ["Behaviors", "HTTPSyntax", "JSONCodec"],
            swiftSettings: strict
        ),
        .target(
            name: "Authoring",
            dependencies: ["Behaviors", "Targeting", "JSONCodec", "JSONPatch"],
            swiftSettings: strict
        ),
        .target(
            name: "TraceContext",
            dependencies: [
                "HTTPSyntax",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "HTTPTransport",
            dependencies: [
                "HTTPSyntax", "Locking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .target(name: "COpenSSL", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PlugboardClient",
            dependencies: [
                "HTTPTransport", "Behaviors", "Plug", "PlugHTTP", "HTTPSyntax", "JSONCodec",
                "JSONPatch", "TraceContext", "Locking", "FNV",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        // The program that expands the macros; without the trait it does nothing.
        .macro(
            name: "PlugboardMacroPlugin",
            dependencies: [
                .product(name: "SwiftSyntax", package: "swift-syntax", condition: macros),
                .product(name: "SwiftParser", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: macros),
                .product(name: "SwiftSyntaxMacros", package: "swift-syntax", condition: macros),
                .product(name: "SwiftDiagnostics", package: "swift-syntax", condition: macros),
                .product(name: "SwiftCompilerPlugin", package: "swift-syntax", condition: macros),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PlugboardMacros",
            dependencies: [
                "PlugboardClient", .target(name: "PlugboardMacroPlugin", condition: macros),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BehaviorClient",
            dependencies: [
                "Behaviors", "Targeting", "HTTPTransport", "PlugboardClient", "PlugHTTP",
                "JSONCodec", "FNV", "Locking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),

        // The server.
        .target(name: "CLinux"),
        // Embeds `files` at compile time (`#embed`).
        .target(name: "CConsole", exclude: ["files"]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"])]
        ),
        .systemLibrary(
            name: "CNghttp2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"])]
        ),
        // Only its header: the library is loaded if a database is configured.
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        .target(name: "System", dependencies: ["Locking", "CLinux"], swiftSettings: strict),
        // Apart from System, which depends on no third-party library.
        .target(name: "Digests", dependencies: ["COpenSSL"], swiftSettings: strict),
        .target(name: "HTTP2", dependencies: ["HTTPSyntax", "CNghttp2"], swiftSettings: strict),
        .target(name: "Gzip", dependencies: ["HTTPSyntax", "CZlib"], swiftSettings: strict),
        .target(
            name: "HTTPServer",
            dependencies: [
                "HTTPSyntax", "HTTP2", "System", "Locking", "Digests", "CLinux", "COpenSSL",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Telemetry",
            dependencies: [
                "HTTPSyntax", "System", "Locking", "CLinux",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AdministrationStore",
            dependencies: [
                "Storage", "PostgreSQL", "Digests", "Locking", "System",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "BehaviorStore",
            dependencies: [
                "AdministrationStore", "Behaviors", "Targeting", "Gzip", "JSONCodec", "JSONPatch",
                "Locking", "Storage",
                "System", "Digests", "FNV", "PostgreSQL",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Storage",
            dependencies: [
                "Locking", "System", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PostgreSQL",
            dependencies: ["CPostgreSQL", "CLinux", "Locking", "System"],
            swiftSettings: strict
        ),
        .target(
            name: "Identity",
            dependencies: [
                "AdministrationStore", "HTTPSyntax", "JSONCodec", "Locking", "PlugHTTP",
                "PostgreSQL", "Storage", "System", "Digests", "COpenSSL",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Plugboard",
            dependencies: [
                "HTTPServer", "HTTPSyntax", "Gzip", "System", "Locking", "CLinux", "CConsole",
                "Telemetry", "TraceContext", "PlugHTTP",
                "HTTPTransport", "AdministrationStore", "BehaviorStore", "Behaviors", "Authoring",
                "Targeting", "Storage", "Identity", "Digests", "PostgreSQL", "JSONCodec",
                "JSONPatch", "Plug",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PlugboardTesting",
            dependencies: [
                "Plugboard", "PlugboardClient", "PlugHTTP", "PlugTesting",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "Settings",
            dependencies: ["JSONCodec", "System"],
            swiftSettings: strict
        ),
        .target(
            name: "PlugboardCommand",
            dependencies: [
                "Plugboard", "PlugboardClient", "BehaviorClient", "AdministrationStore",
                "Behaviors", "BehaviorStore", "Authoring", "ContractGenerator",
                "JSONPatch", "Locking", "CLinux", "PostgreSQL", "Telemetry", "Settings",
                "JSONCodec", "Digests",
                "Storage", "Identity", "PlugHTTP", "HTTPServer", "HTTPSyntax", "Plug", "Targeting",
                "System",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PlugboardCLI",
            dependencies: ["PlugboardCommand"],
            swiftSettings: strict
        ),

        // The examples, as users write servers and apps.
        .target(
            name: "PhotoContracts",
            dependencies: [
                "PlugHTTP", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Examples/PhotoContracts",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "PhotoApp",
            dependencies: [
                "PhotoContracts", "PlugboardClient", "BehaviorClient", "System",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Examples/PhotoApp",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Photos",
            dependencies: [
                "PhotoContracts", "PlugboardCommand", "PlugboardClient", "PlugHTTP", "PostgreSQL",
                "Locking", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Examples/Photos",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Orders",
            dependencies: [
                "PlugboardCommand", "Plugboard", "PlugHTTP", "Locking", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Examples/Orders",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "Todo",
            dependencies: ["PlugboardCommand"],
            path: "Examples/Todo",
            swiftSettings: strict
        ),

        // What tests share.
        // A process that performs a document and may crash, for Tests/e2e/guard-lines.
        .executableTarget(
            name: "GuardProbe",
            dependencies: [
                "BehaviorClient", .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            path: "Tests/GuardProbe",
            swiftSettings: strict
        ),
        .target(name: "BlockingThreads", path: "Tests/BlockingThreads", swiftSettings: strict),
        .target(
            name: "GuardedBytes",
            dependencies: ["HTTPSyntax"],
            path: "Tests/GuardedBytes",
            swiftSettings: strict
        ),
        .target(name: "Eventually", path: "Tests/Eventually", swiftSettings: strict),
        .target(
            name: "ExclusivePlugs",
            dependencies: ["System"],
            path: "Tests/ExclusivePlugs",
            swiftSettings: strict
        ),
        .target(name: "SeededNumbers", path: "Tests/SeededNumbers", swiftSettings: strict),
        .target(
            name: "TestDatabase",
            dependencies: [
                "AdministrationStore", "PostgreSQL", "Storage",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/TestDatabase",
            swiftSettings: strict
        ),
        .target(
            name: "TestLog",
            dependencies: ["Locking", .product(name: "Logging", package: "swift-log")],
            path: "Tests/TestLog",
            swiftSettings: strict
        ),
        .target(
            name: "HTTP2Frames",
            dependencies: ["CNghttp2"],
            path: "Tests/HTTP2Frames",
            swiftSettings: strict
        ),
        .target(
            name: "TestCertificates",
            dependencies: ["COpenSSL", "HTTPSyntax", "JSONCodec"],
            path: "Tests/TestCertificates",
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTPSyntaxTests",
            dependencies: ["HTTPSyntax", "GuardedBytes"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ContractGeneratorTests",
            dependencies: ["ContractGenerator", "JSONCodec"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: ["HTTP2", "HTTPSyntax", "HTTP2Frames", "GuardedBytes"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "GzipTests",
            dependencies: ["Gzip", "HTTPSyntax", "GuardedBytes"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "JSONCodecTests",
            dependencies: ["JSONCodec", "SeededNumbers"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "JSONPatchTests",
            dependencies: ["JSONPatch", "JSONCodec", "SeededNumbers"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugTests",
            dependencies: ["Plug", "Locking", "Eventually"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugTestingTests",
            dependencies: ["PlugTesting", "Plug"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugboardTestingTests",
            dependencies: ["PlugboardTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugHTTPTests",
            dependencies: [
                "PlugHTTP", "Plug", "HTTPSyntax", "JSONCodec",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTPTransportTests",
            dependencies: [
                "HTTPTransport", "Locking",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugboardClientTests",
            dependencies: [
                "PlugboardClient", "JSONCodec", "Plug", "PlugHTTP", "Locking", "BlockingThreads",
                "SeededNumbers",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugboardMacrosTests",
            dependencies: [
                .target(name: "PlugboardMacroPlugin", condition: macros),
                .product(name: "SwiftSyntaxBuilder", package: "swift-syntax", condition: macros),
                .product(
                    name: "SwiftSyntaxMacrosGenericTestSupport",
                    package: "swift-syntax",
                    condition: macros
                ),
                .product(
                    name: "SwiftSyntaxMacroExpansion",
                    package: "swift-syntax",
                    condition: macros
                ),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BehaviorClientTests",
            dependencies: [
                "BehaviorClient", "JSONCodec", "Locking", "PlugHTTP", "SeededNumbers", "Eventually",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ClientContractsTests",
            dependencies: [
                "Plugboard", "PlugboardClient", "Locking", "HTTPServer", "Identity", "Storage",
                "PhotoContracts", "Photos", "Orders", "Todo", "ExclusivePlugs",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TraceContextTests",
            dependencies: [
                "TraceContext", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BehaviorsTests",
            dependencies: ["Behaviors", "Locking"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TargetingTests",
            dependencies: [
                "Targeting", "Behaviors", "HTTPSyntax", "JSONCodec", "SeededNumbers",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthoringTests",
            dependencies: ["Authoring", "Behaviors", "Targeting", "JSONCodec", "JSONPatch"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["BlockingThreads"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "BehaviorStoreTests",
            dependencies: [
                "BehaviorStore", "Behaviors", "Targeting", "Locking", "Storage", "JSONCodec",
                "JSONPatch", "PostgreSQL", "System", "Digests", "Eventually", "SeededNumbers",
                "TestDatabase", "TestLog",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: [
                "Storage", "TestDatabase", "Locking", "Eventually",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AdministrationStoreTests",
            dependencies: [
                "AdministrationStore", "Eventually", "Locking", "PostgreSQL", "TestDatabase",
                "TestLog",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PostgreSQLTests",
            dependencies: ["PostgreSQL", "Locking", "CLinux", "Eventually"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "IdentityTests",
            dependencies: [
                "AdministrationStore", "Identity", "PlugHTTP", "JSONCodec", "Locking",
                "HTTPSyntax", "COpenSSL", "PostgreSQL", "System", "TestDatabase",
                "TestCertificates", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SystemTests",
            dependencies: ["System", "Locking", "Eventually"],
            swiftSettings: strict
        ),
        .testTarget(name: "CivilDateTests", dependencies: ["CivilDate"], swiftSettings: strict),
        .testTarget(name: "FNVTests", dependencies: ["FNV"], swiftSettings: strict),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: strict),
        .testTarget(
            name: "PlugboardTests",
            dependencies: [
                "Plugboard", "PlugboardClient", "AdministrationStore", "BehaviorStore", "Targeting",
                "Authoring", "HTTPServer", "HTTPSyntax", "Gzip", "System", "Telemetry", "Digests",
                "Storage", "Identity", "Plug", "PlugHTTP", "JSONCodec", "JSONPatch",
                "Locking", "COpenSSL", "TestCertificates", "BlockingThreads", "Eventually",
                "SeededNumbers", "PostgreSQL", "TestDatabase", "TestLog", "HTTP2Frames",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PlugboardCommandTests",
            dependencies: [
                "PlugboardCommand", "Plugboard", "PlugboardClient", "Plug", "PlugHTTP", "Settings",
                "Behaviors", "HTTPServer", "Identity", "JSONCodec", "Storage", "System",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotosTests",
            dependencies: [
                "ExclusivePlugs",
                "Photos", "PhotoContracts", "PlugboardCommand", "Plugboard", "PlugboardClient",
                "HTTPServer", "Locking", "Plug", "PlugHTTP", "PostgreSQL", "Storage",
                "TestDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PhotoAppTests",
            dependencies: [
                "PhotoApp", "PhotoContracts", "PlugboardClient", "BehaviorClient", "Locking",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "OrdersTests",
            dependencies: [
                "Orders", "PlugHTTP", "Storage", "TestDatabase",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TodoTests",
            dependencies: ["Todo", "PlugboardTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "SettingsTests",
            dependencies: ["Settings", "JSONCodec"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", "HTTPSyntax", .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "HTTPSyntax", "Locking", "Digests", "COpenSSL", "HTTP2Frames",
                "System",
                "TestLog",
                "TestCertificates",
                "BlockingThreads",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
    ],
    swiftLanguageModes: [.v6]
)

// PLUGBOARD_TEST_TARGETS=PlugTests,HTTPServerTests reduces the package to these targets and their dependencies,
// so that `swift build --build-tests` builds nothing else. `make test-races` uses it.
if let names = Context.environment["PLUGBOARD_TEST_TARGETS"] {
    let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
    var needed = names.split(separator: ",").map(String.init)
    var kept: Set<String> = []
    while let name = needed.popLast() {
        guard let target = targets[name] else { fatalError("There is no target \(name).") }
        guard kept.insert(name).inserted else { continue }
        needed += target.dependencies.compactMap { dependency in
            switch dependency {
            case .targetItem(let name, _), .byNameItem(let name, _): name
            default: nil
            }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
