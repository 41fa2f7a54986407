import Behaviors

/// A module of the behavior document that the server ships with.
final class MyFirstModule: Module {
    func sayHello() { Run.show("Hello My name is MyFirstModule") }

    func sayGoodBye() { Run.show("GoodBye My name was MyFirstModule") }

    static let functions: [Function<MyFirstModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// A module like ``MyFirstModule`` with other texts.
final class MySecondModule: Module {
    func sayHello() { Run.show("What's up? My name is MySecondModule") }

    func sayGoodBye() { Run.show("See you, My name was MySecondModule") }

    static let functions: [Function<MySecondModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// A module that prints links, and opens them with `--open`.
final class MyThirdModule: Module {
    func openUrl(url: String) throws {
        Run.show("open \(url)")
        guard Run.opensLinks else { return }
        try LinkOpener.open(url)
    }

    static let functions: [Function<MyThirdModule>] = [
        Function("openUrlWithUrl:") { try $0.openUrl(url: $1) }
    ]
}
