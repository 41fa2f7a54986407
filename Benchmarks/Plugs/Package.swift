// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "PlugBenchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "plugboard", path: "../.."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.0", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "Resolving",
            dependencies: [
                .product(name: "Plug", package: "plugboard"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Resolving",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
        .executableTarget(
            name: "Rules",
            dependencies: [
                .product(name: "Behaviors", package: "plugboard"),
                .product(name: "Targeting", package: "plugboard"),
                .product(name: "Benchmark", package: "benchmark"),
            ],
            path: "Benchmarks/Rules",
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
