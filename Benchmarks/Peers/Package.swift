// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the product never depends on the servers that it is measured beside.
let package = Package(
    name: "Peers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
    ],
    targets: [
        .target(name: "Photos"),
        .executableTarget(
            name: "HummingbirdPeer",
            dependencies: [
                "Photos",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
            ]
        ),
        .executableTarget(
            name: "FlyingFoxPeer",
            dependencies: ["Photos", .product(name: "FlyingFox", package: "FlyingFox")]
        ),
    ],
    swiftLanguageModes: [.v6]
)
