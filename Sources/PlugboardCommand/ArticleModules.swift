import Behaviors
import Glibc

/// A module of the behavior document that the server ships with.
final class MyFirstModule: Module {
    func sayHello() { Output.print("Hello My name is MyFirstModule") }

    func sayGoodBye() { Output.print("GoodBye My name was MyFirstModule") }

    static let functions: [Function<MyFirstModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// A module like ``MyFirstModule`` with other texts.
final class MySecondModule: Module {
    func sayHello() { Output.print("What's up? My name is MySecondModule") }

    func sayGoodBye() { Output.print("See you, My name was MySecondModule") }

    static let functions: [Function<MySecondModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// A module that prints links, and opens them with `--open`.
final class MyThirdModule: Module {
    func openUrl(url: String) throws {
        Output.print("open \(url)")
        guard Run.opensLinks else { return }
        try LinkOpener.open(url)
    }

    static let functions: [Function<MyThirdModule>] = [
        Function("openUrlWithUrl:") { try $0.openUrl(url: $1) }
    ]
}

/// Opens links with the desktop's default program.
enum LinkOpener {
    /// Accepts http and https only: a document from the network must not start other programs.
    static func open(_ url: String) throws {
        guard url.hasPrefix("https://") || url.hasPrefix("http://") else {
            throw Failure("only http and https links are opened")
        }
        var process = pid_t()
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
        defer { arguments.forEach { free($0) } }
        let status = posix_spawnp(&process, "xdg-open", nil, nil, arguments, environ)
        guard status == 0 else { throw Failure("xdg-open: \(String(cString: strerror(status)))") }
        waitpid(process, nil, 0)
    }
}
