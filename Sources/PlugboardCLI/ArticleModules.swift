import Behaviors
import Glibc

/// The first module of the document that comes with the server.
final class MyFirstModule: Module {
    func sayHello() { Output.print("Hello My name is MyFirstModule") }

    func sayGoodBye() { Output.print("GoodBye My name was MyFirstModule") }

    static let functions: [Function<MyFirstModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// The second: a clone of the first but for its words.
final class MySecondModule: Module {
    func sayHello() { Output.print("What's up? My name is MySecondModule") }

    func sayGoodBye() { Output.print("See you, My name was MySecondModule") }

    static let functions: [Function<MySecondModule>] = [
        Function("sayHello") { $0.sayHello() },
        Function("sayGoodBye") { $0.sayGoodBye() },
    ]
}

/// The third opens links.
///
/// On a terminal that is to print them; with `--open`, to open them, too.
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

/// Opens a link with the desktop's program for it.
enum LinkOpener {
    /// Only the web's links: a document from the network must not start anything else.
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
