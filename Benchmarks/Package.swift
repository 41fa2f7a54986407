// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "plugboard", path: ".."),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "CallCost",
            dependencies: [.product(name: "Plug", package: "plugboard")]
        ),
        .executableTarget(
            name: "ViewCost",
            dependencies: [.product(name: "PlugboardClient", package: "plugboard")]
        ),
        .executableTarget(
            name: "BehaviorStart",
            dependencies: [
                .product(name: "BehaviorClient", package: "plugboard"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
