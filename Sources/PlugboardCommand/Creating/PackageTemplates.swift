/// A file of a new package.
///
/// Its path and its text have placeholders such as `{{name}}`.
struct PackageTemplate {
    let path: String
    let text: String
}

/// The files of a new package.
///
/// Documentation/GettingStarted.md shows them. `Tests/e2e/new-lines` compares, compiles and runs both.
enum PackageTemplates {
    /// Returns all files; `isLocal` if the package depends on a folder.
    static func all(isLocal: Bool) -> [PackageTemplate] {
        [
            manifest, contracts, store, server, client, tests, page,
            container(isLocal: isLocal), workflow, readme(isLocal: isLocal), ignored,
            containerIgnored,
        ]
    }

    private static let manifest = PackageTemplate(
        path: "Package.swift",
        text: """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "{{name}}",
                platforms: [.iOS(.v18), .macOS(.v15)],
                products: [
                    .executable(name: "{{name}}", targets: ["{{Module}}Server"]),
                    .library(name: "{{Module}}Client", targets: ["{{Module}}Client"]),
                ],
                dependencies: [
                    {{dependency}},
                ],
                targets: [
                    // The actions' types, which the server and its apps share.
                    .target(
                        name: "{{Module}}Contracts",
                        dependencies: [.product(name: "PlugHTTP", package: "{{package}}")]
                    ),
                    // The implementations and the command.
                    .executableTarget(
                        name: "{{Module}}Server",
                        dependencies: [
                            "{{Module}}Contracts",
                            .product(name: "PlugboardCommand", package: "{{package}}"),
                        ]
                    ),
                    // The app's end: calls of the server.
                    .target(
                        name: "{{Module}}Client",
                        dependencies: [
                            "{{Module}}Contracts",
                            .product(name: "PlugboardClient", package: "{{package}}"),
                        ]
                    ),
                    .testTarget(
                        name: "{{Module}}ServerTests",
                        dependencies: [
                            "{{Module}}Contracts", "{{Module}}Server",
                            .product(name: "PlugboardTesting", package: "{{package}}"),
                        ]
                    ),
                ],
                swiftLanguageModes: [.v6]
            )

            """
    )

    private static let page = PackageTemplate(
        path: "public/index.html",
        text: """
            <!doctype html>
            <title>{{name}}</title>
            <p>The API is described at <a href="/docs">/docs</a>.</p>

            """
    )

    private static let ignored = PackageTemplate(
        path: ".gitignore",
        text: """
            .build/
            .swiftpm/
            /data/

            """
    )

    private static let containerIgnored = PackageTemplate(
        path: ".dockerignore",
        text: """
            .build
            .git
            data

            """
    )
}
