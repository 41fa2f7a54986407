// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "plugboard", path: "..")],
    targets: [
        .executableTarget(
            name: "CallCost",
            dependencies: [.product(name: "Plug", package: "plugboard")]
        )
    ],
    swiftLanguageModes: [.v6]
)
