#if Macros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("@View and @Key")
struct ViewMacroTests {
    @Test("write the keys, the accessors and the conformance")
    func expansion() {
        expectExpansion(
            """
            @View struct ResponseUser {
                var username: String
                @Key("id") var identifier: Int
                var nickname: String? = nil
                var plan: String = "free"
                static let limit = 3
                var isFree: Bool { plan == "free" }
            }
            """,
            """
            struct ResponseUser {
                var username: String {
                    get {
                        self[Self.username]
                    }
                    set {
                        self[Self.username] = newValue
                    }
                }

                static let username = ViewKey<String>("username")
                var identifier: Int {
                    get {
                        self[Self.identifier]
                    }
                    set {
                        self[Self.identifier] = newValue
                    }
                }

                static let identifier = ViewKey<Int>("id")
                var nickname: String? {
                    get {
                        self[Self.nickname]
                    }
                    set {
                        self[Self.nickname] = newValue
                    }
                }

                static let nickname = ViewKey<String?>("nickname")
                var plan: String {
                    get {
                        self[Self.plan]
                    }
                    set {
                        self[Self.plan] = newValue
                    }
                }

                static let plan = ViewKey<String>("plan", default: "free")
                static let limit = 3
                var isFree: Bool { plan == "free" }

                static let keys: [any AnyViewKey] = [Self.username, Self.identifier, Self.nickname, Self.plan]

                var content: ViewContent

                init(content: ViewContent) {
                    self.content = content
                }
            }

            extension ResponseUser: JSONView {
            }
            """
        )
    }

    @Test("write members as accessible as the struct and its properties")
    func access() {
        expectExpansion(
            """
            @View public struct Place {
                public var `in`: String
                private(set) var city: [Place] = []
            }
            """,
            """
            public struct Place {
                public var `in`: String {
                    get {
                        self[Self.`in`]
                    }
                    set {
                        self[Self.`in`] = newValue
                    }
                }

                public static let `in` = ViewKey<String>("in")
                private(set) var city: [Place] {
                    get {
                        self[Self.city]
                    }
                    set {
                        self[Self.city] = newValue
                    }
                }

                static let city = ViewKey<[Place]>("city", default: [])

                public static let keys: [any AnyViewKey] = [Self.`in`, Self.city]

                public var content: ViewContent

                public init(content: ViewContent) {
                    self.content = content
                }
            }

            extension Place: JSONView {
            }
            """
        )
    }

    @Test("escape a member's name")
    func names() {
        expectExpansion(
            #"""
            @View struct A {
                @Key("a\"b\\") var text: String
            }
            """#,
            ##"""
            struct A {
                var text: String {
                    get {
                        self[Self.text]
                    }
                    set {
                        self[Self.text] = newValue
                    }
                }

                static let text = ViewKey<String>(#"a"b\"#)

                static let keys: [any AnyViewKey] = [Self.text]

                var content: ViewContent

                init(content: ViewContent) {
                    self.content = content
                }
            }

            extension A: JSONView {
            }
            """##
        )
    }

    @Test("offer to replace let")
    func constants() {
        expectExpansion(
            "@View struct A {\n    let a: Int\n}",
            """
            struct A {
                let a: Int

                static let keys: [any AnyViewKey] = []

                var content: ViewContent

                init(content: ViewContent) {
                    self.content = content
                }
            }

            extension A: JSONView {
            }
            """,
            [
                DiagnosticSpec(
                    message: "A view computes its properties, so they can't be `let`. Write `var`.",
                    line: 2,
                    column: 5,
                    fixIts: [FixItSpec(message: "Replace `let` by `var`")]
                )
            ],
            fixed: "@View struct A {\n    var a: Int\n}"
        )
    }

    @Test(
        "report each fault at its place, with its remedy",
        arguments: [
            ("var a = 1", 5, "A view's property has a type. Add it after the name."),
            (
                "var a: Int, b: Int", 1,
                "A view's property has a `var` of its own. Declare each alone."
            ),
            ("var (a, b): (Int, Int)", 5, "A view's property has one name. Declare each alone."),
            ("var a: Int { didSet {} }", 12, "A view's property has no observers. Remove them."),
            ("lazy var a: Int = 1", 1, "A view computes its properties. Remove `lazy`."),
            (
                "@Key(\"b\") static var a: Int = 1", 1,
                "A static property reads no member. Remove @Key."
            ),
            (
                "@Key(\"b\") var a: Int { 1 }", 1,
                "A computed property reads no member. Remove @Key."
            ),
            (
                "@Key(\"\\(1)\") var a: Int", 6,
                "A member's name is a string literal without interpolation."
            ),
            (
                "var content: Int", 5,
                "Each view has its own `content`. Rename the property: @Key(\"content\") var contentValue"
            ),
        ]
    )
    func faults(_ property: String, _ column: Int, _ message: String) {
        expectFault("@View struct A {\n\(property)\n}", message, 2, column)
    }

    @Test("report a member that two properties read")
    func duplicates() {
        expectFault(
            "@View struct A {\nvar a: Int\n@Key(\"a\") var b: Int\n}",
            "Another property reads the member \"a\". Remove one of both.",
            3,
            15
        )
    }

    @Test(
        "are for a struct without type parameters",
        arguments: [
            ("@View class A {}", 1, "@View makes a view of a struct. Declare one."),
            ("@View enum A {}", 1, "@View makes a view of a struct. Declare one."),
            (
                "@View struct A<T> {}", 15,
                "A view has no type parameters, since its keys are static."
            ),
            (
                "struct A { @Key var a: Int }", 12,
                "@Key is for a property of a view. Add @View to the struct."
            ),
        ]
    )
    func types(_ source: String, _ column: Int, _ message: String) {
        expectFault(source, message, 1, column)
    }
}
#endif
