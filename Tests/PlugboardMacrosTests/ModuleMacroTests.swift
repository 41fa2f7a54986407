#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("@Module")
struct ModuleMacroTests {
    @Test("lists the methods with their names and selectors")
    func expansion() {
        expectExpansion(
            """
            @Module final class First: Sendable {
                func sayHello() {}
                func show(_ message: String) throws {}
                @MainActor func openUrl(url: URL?) {}
                func wait(for seconds: Int = 1) async throws {}
                private func log() {}
                static func make() -> First { First() }
                let name = "a"
            }
            """,
            """
            final class First: Sendable {
                func sayHello() {}
                func show(_ message: String) throws {}
                @MainActor func openUrl(url: URL?) {}
                func wait(for seconds: Int = 1) async throws {}
                private func log() {}
                static func make() -> First { First() }
                let name = "a"

                static let functions: [Function<First>] = [
                    Function("sayHello") { (module: First) in
                        module.sayHello()
                    },
                    Function("show") { (module: First, value: String) in
                        try module.show(value)
                    },
                    Function("show:") { (module: First, value: String) in
                        try module.show(value)
                    },
                    Function("openUrl") { (module: First, value: URL?) in
                        await module.openUrl(url: value)
                    },
                    Function("openUrlWithUrl:") { (module: First, value: URL?) in
                        await module.openUrl(url: value)
                    },
                    Function("wait") { (module: First, value: (Int)?) in
                        if let value {
                            try await module.wait(for: value)
                        } else {
                            try await module.wait()
                        }
                    },
                    Function("waitFor:") { (module: First, value: (Int)?) in
                        if let value {
                            try await module.wait(for: value)
                        } else {
                            try await module.wait()
                        }
                    },
                ]
            }

            extension First: Module {
            }
            """
        )
    }

    @Test("writes public members of a public class")
    func access() {
        expectExpansion(
            "@Module public final class First {\n    public func `default`() {}\n}",
            """
            public final class First {
                public func `default`() {}

                public static let functions: [Function<First>] = [
                    Function("default") { (module: First) in
                        module.`default`()
                    },
                ]

                public init() {
                }
            }

            extension First: Module {
            }
            """
        )
        expectExpansion(
            "@Module public final class First {\n    public init() {}\n}",
            """
            public final class First {
                public init() {}

                public static let functions: [Function<First>] = []
            }

            extension First: Module {
            }
            """
        )
    }

    @Test("offers to add final")
    func open() {
        expectExpansion(
            "@Module class First {\n}",
            "class First {\n}",
            [
                DiagnosticSpec(
                    message: "A module is a final class. Add `final`.",
                    line: 1,
                    column: 9,
                    fixIts: [FixItSpec(message: "Add `final`")]
                )
            ],
            fixed: "@Module final class First {\n}"
        )
    }

    @Test(
        "reports each fault at its place, with its remedy",
        arguments: [
            (
                "func a(_ b: Int, _ c: Int) {}", 18,
                "A behavior passes one value. Take a struct with all of them, or make the method private."
            ),
            (
                "func a<T: Decodable>(_ b: T) {}", 7,
                "A behavior's value has one type. Remove the type parameters, or make the method private."
            ),
            (
                "func a() -> Int { 1 }", 13,
                "A behavior uses no result. Remove it, or make the method private."
            ),
            (
                "func a(_ b: inout Int) {}", 8,
                "A behavior passes one value of a Decodable type. Change the type, or make the method private."
            ),
            (
                "func a(_ b: Int...) {}", 8,
                "A behavior passes one value of a Decodable type. Change the type, or make the method private."
            ),
            (
                "func a(_ b: some Decodable) {}", 8,
                "A behavior passes one value of a Decodable type. Change the type, or make the method private."
            ),
            (
                "func a() {}; func a(_ b: Int) {}", 19,
                "Another method has the name \"a\" in behaviors. Rename one of both, or make it private."
            ),
            (
                "@MainActor func a() {}", 1,
                "An actor's method needs a Sendable class. Add `Sendable`, or use MainActor.run in the method."
            ),
            ("init(a: Int) {}", 1, "A catalog creates modules without arguments. Add `init()`."),
            ("static let functions = 1", 12, "@Module writes `functions`. Remove one of both."),
        ]
    )
    func faults(_ member: String, _ column: Int, _ message: String) {
        expectFault("@Module final class A {\n\(member)\n}", message, 2, column)
    }

    @Test(
        "is for a final class without type parameters, on no actor",
        arguments: [
            ("@Module struct A {}", 1, "@Module makes a module of a final class. Declare one."),
            ("@Module actor A {}", 1, "@Module makes a module of a final class. Declare one."),
            (
                "@Module final class A<T> {}", 22,
                "A module has no type parameters, since its functions are static."
            ),
            (
                "@Module @MainActor final class A {}", 1,
                "A catalog creates modules on no actor. Isolate the methods instead of the class."
            ),
        ]
    )
    func types(_ source: String, _ column: Int, _ message: String) {
        expectFault(source, message, 1, column)
    }
}
#endif
