import JSONCodec
import Plug
import PlugHTTP
import Plugboard
import Testing

private struct Id: Codable, Sendable { var id: Int }
private struct Named: Codable, Sendable { var name: String; var note: String? }
private class GetA: Action<Id, Int>, GET { static var path: String { "/a/{id}" } }
private class PostA: Action<Id, Int>, POST { static var path: String { "/a/{id}" } }
private class PutA: Action<Named, Int>, PUT { static var path: String { "/a/{name}" } }
private class GetAPart: Action<Named, Int>, GET { static var path: String { "/a/{name}/part" } }
private class Misnamed: Action<Named, Int>, GET { static var path: String { "/b/{nmae}" } }
private class Foreign: Action<Named, Int>, PUT { static var path: String { "/c/{identifier}" } }
private class Sole: Action<Int, Int>, POST { static var path: String { "/d/{id}" } }
private class AnyInput: Action<JSON, Int>, GET { static var path: String { "/e/{id}" } }
private class Words: Action<[String: String], Int>, GET { static var path: String { "/f/{id}" } }
private enum First { class Ping: Action<Void, Int>, GET { static var path: String { "/first" } } }
private enum Second { class Ping: Action<Void, Int>, GET { static var path: String { "/second" } } }
private class Renamed: Action<Void, Int>, GET {
    override static var name: String { "Ping" }
    static var path: String { "/renamed" }
}
private enum Payment: Codable, Sendable { case cash(Int), card(String) }
private struct Bill: Codable, Sendable { var id: Int; var payment: Payment; var sum: Int }
private class Charge: Action<Bill, Int>, POST { static var path: String { "/bills" } }
private class LastBill: Action<Void, Bill>, GET { static var path: String { "/bills/last" } }
private class Bills: Action<Void, AsyncStream<Bill>>, GET { static var path: String { "/bills" } }
private class Pay: Action<Bill, Bill>, PUT { static var path: String { "/bills/{id}" } }
private class Misplaced: Action<Void, String>, POST, HasEntityTag {
    static var path: String { "/misplaced" }
}
private class Nobody: Action<Void, Int>, GET { static var path: String { "/g/{id}" } }
private class ListTokens: Action<Void, Int>, GET { static var path: String { "/my/tokens" } }
private class TokenColour: Action<Named, Int>, PATCH {
    static var path: String { "/tokens/{name}" }
}
private class TokenList: Action<Void, Int>, GET { static var path: String { "/tokens" } }

@Suite("Start-up errors for contradictory contracts")
struct ContractStartTests {
    init() {
        GetA.self <~ { $0.id }
        PostA.self <~ { $0.id }
        PutA.self <~ { $0.name.count }
        GetAPart.self <~ { $0.name.count }
        Misnamed.self <~ { $0.name.count }
        Foreign.self <~ { $0.name.count }
        Sole.self <~ { $0 }
        AnyInput.self <~ { _ in 1 }
        Words.self <~ { $0.count }
        First.Ping.self <~ { 1 }
        Second.Ping.self <~ { 2 }
        Renamed.self <~ { 3 }
        Charge.self <~ { $0.sum }
        LastBill.self <~ { Bill(id: 1, payment: .cash(1), sum: 1) }
        Bills.self <~ { AsyncStream { $0.finish() } }
        Pay.self <~ { $0 }
        Misplaced.self <~ { "" }
        Nobody.self <~ { 1 }
        ListTokens.self <~ { 1 }
        TokenColour.self <~ { $0.name.count }
        TokenList.self <~ { 1 }
    }

    /// A server's start-up errors; empty if it starts.
    private func problems(_ server: Server) async throws -> [String] {
        do {
            try await serving(server) { _ in }
            return []
        } catch let error as StartError {
            return error.problems
        }
    }

    @Test("a path's variable that the input lacks is an error with the nearest member")
    func misnamed() async throws {
        let problems = try await problems(Server { Misnamed.self })
        #expect(
            problems == [
                "Misnamed takes {nmae} from GET /b/{nmae}, but its input has no such member. "
                    + "Write {name}"
            ]
        )
    }

    @Test("a variable without a similar member is an error with the input's members")
    func foreign() async throws {
        let problems = try await problems(
            Server {
                Foreign.self
                Sole.self
            }
        )
        #expect(
            problems == [
                "Foreign takes {identifier} from PUT /c/{identifier}, but its input has no such "
                    + "member. Its input's members are name, note",
                "Sole takes {id} from POST /d/{id}, but its input has no such member. "
                    + "Its input has no members",
            ]
        )
    }

    @Test("an input with arbitrary member names has every variable")
    func anyNames() async throws {
        let problems = try await problems(
            Server {
                AnyInput.self
                Words.self
            }
        )
        #expect(problems == [])
    }

    @Test("two actions with the same name are an error with their routes")
    func names() async throws {
        func expected(_ first: String, _ second: String) -> String {
            "GET \(first) and GET \(second) are both named Ping, and batches find an action by its "
                + "name. Override the name of one of them"
        }
        let types = try await problems(
            Server {
                First.Ping.self
                Second.Ping.self
            }
        )
        #expect(types == [expected("/first", "/second")])
        let renamed = try await problems(
            Server {
                Renamed.self
                GetA.self
                First.Ping.self
            }
        )
        #expect(renamed == [expected("/renamed", "/first")])
    }

    @Test("paths that differ only in variables' names are an error (OpenAPI 3.1 §4.8.8)")
    func templates() async throws {
        let problems = try await problems(
            Server {
                GetA.self
                PostA.self
                PutA.self
            }
        )
        #expect(
            problems == [
                "PUT /a/{name} of PutA and GET /a/{id} of GetA differ only in the names of "
                    + "variables. Use the same names in both"
            ]
        )
    }

    @Test("paths with different literals, or with the same template, are no error")
    func otherTemplates() async throws {
        let problems = try await problems(
            Server {
                GetA.self
                PostA.self
                GetAPart.self
            }
        )
        #expect(problems == [])
    }

    @Test("an input or output with unknown members is an error with its type and a remedy")
    func gaps() async throws {
        let problems = try await problems(
            Server {
                Charge.self
                LastBill.self
                Bills.self
                Pay.self
            }
        )
        let reason =
            "the members of Payment can't be found, as those of an enum with associated values. "
            + "Conform Payment to SchemaDescribing, with an example in its schema"
        #expect(
            problems == ["Charge", "LastBill", "Bills", "Pay"].map { "\($0): \(reason)" }
        )
    }

    @Test("an entity tag of an action other than GET is an error (RFC 9110 §8.8.3)")
    func misplaced() {
        #expect { try Server { Misplaced.self }.start() } throws: { error in
            "\(error)".contains("Misplaced can't have entity tags")
        }
    }

    @Test("an action with a path variable needs an input")
    func noInput() async throws {
        #expect(
            try await problems(Server { Nobody.self }) == [
                "Nobody takes {id} from GET /g/{id}, but its input is Void. Give it an input with "
                    + "the member id"
            ]
        )
    }

    @Test("a name or path of the server's own actions is an error, unless they are replaced")
    func ownActions() async throws {
        let folder = try TemporaryFolder()
        var server = Server {
            ListTokens.self
            TokenColour.self
            TokenList.self
        }
        #expect(try await problems(server) == [])
        server.configuration.dataFolder = folder.path + "/data"
        let remedy = "set server.administration = .none"
        #expect(
            try await problems(server) == [
                "GET /my/tokens is named ListTokens as the server's own GET /tokens. Override its "
                    + "name, or \(remedy)",
                "PATCH /tokens/{name} of TokenColour and the server's own GET /tokens/{id} differ "
                    + "only in the names of variables. Use the same names, or \(remedy)",
                "PATCH /tokens/{name} of TokenColour and the server's own DELETE /tokens/{id} differ "
                    + "only in the names of variables. Use the same names, or \(remedy)",
            ]
        )
        server.administration = .none
        #expect(try await problems(server) == [])
    }
}
