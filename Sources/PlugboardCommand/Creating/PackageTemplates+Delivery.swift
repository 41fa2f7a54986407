/// The files that build, check and describe a new package.
extension PackageTemplates {
    /// The Debian packages of Plugboard's libraries, to build with.
    private static let libraries =
        "libsqlite3-dev libssl-dev libnghttp2-dev zlib1g-dev libpq-dev"

    /// The container's description.
    ///
    /// A folder's sources come from a second build context.
    static func container(isLocal: Bool) -> PackageTemplate {
        let build =
            isLocal
            ? "docker build --build-context plugboard={{folder}} -t {{name}} ."
            : "docker build -t {{name}} ."
        let copy = isLocal ? "COPY --from=plugboard . {{folder}}\n" : ""
        return PackageTemplate(
            path: "Dockerfile",
            text: """
                # \(build)
                FROM swift:6.3-bookworm AS build
                RUN apt-get update && apt-get install -y --no-install-recommends \\
                    \(libraries)
                \(copy)WORKDIR /source
                COPY . .
                RUN swift build -c release --product {{name}} --static-swift-stdlib \\
                    && install -s -m 755 .build/release/{{name}} /server

                FROM debian:bookworm-slim
                RUN apt-get update && apt-get install -y --no-install-recommends \\
                    libsqlite3-0 libssl3 libnghttp2-14 zlib1g libpq5 \\
                    && rm -rf /var/lib/apt/lists/* \\
                    && useradd --system --uid 10001 --no-create-home server \\
                    && install -d -o server -g server /data
                COPY --from=build /server /usr/local/bin/{{name}}
                COPY public /srv/public
                USER 10001
                VOLUME /data
                EXPOSE 8080
                # The port is published: any host may be in front of it. Name yours to reject others.
                ENV PLUGBOARD_ALLOWED_HOST=*
                ENTRYPOINT ["{{name}}"]
                CMD ["serve", "--host", "0.0.0.0", "--public", "/srv/public", "--data", "/data"]

                """
        )
    }

    static let workflow = PackageTemplate(
        path: ".github/workflows/test.yml",
        text: """
            name: test
            on: [push, pull_request]
            jobs:
              test:
                runs-on: ubuntu-latest
                container: swift:6.3-bookworm
                steps:
                  - uses: actions/checkout@v4
                  - run: |
                      apt-get update
                      apt-get install -y --no-install-recommends \(libraries)
                  - run: swift test

            """
    )

    static func readme(isLocal: Bool) -> PackageTemplate {
        let build =
            isLocal
            ? "docker build --build-context plugboard={{folder}} -t {{name}} ."
            : "docker build -t {{name}} ."
        let note =
            isLocal
            ? """

            The workflow in `.github` needs a dependency that it can fetch: replace the folder in \
            `Package.swift` by the URL of a repository.

            """ : ""
        return PackageTemplate(
            path: "README.md",
            text: """
                # {{name}}

                ```
                swift test                  # calls the actions in memory
                swift run {{name}} serve    # http://127.0.0.1:8080, described at /docs
                curl 127.0.0.1:8080/notes --json '{"text":"Hello"}'
                \(build)
                docker run -p 8080:8080 {{name}}
                ```

                | folder | content |
                |---|---|
                | `Sources/{{Module}}Contracts` | the actions' types, which the server and its apps share |
                | `Sources/{{Module}}Server` | the implementations and the command `{{name}}` |
                | `Sources/{{Module}}Client` | the app's end: calls of the server |
                | `Tests/{{Module}}ServerTests` | tests without a socket |
                | `public` | files that the server serves |
                \(note)
                """
        )
    }
}
