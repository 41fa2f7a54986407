import Testing

@testable import Plug

@Suite("CellTable")
struct CellTableTests {
    class Nested<Inner>: Action<Void, Void> {}

    private func around<Inner: ActionProtocol>(_ inner: Inner.Type) -> any ActionProtocol.Type {
        Nested<Inner>.self
    }

    /// As many types as are asked for: each is around the one before.
    private func types(_ count: Int) -> [any ActionProtocol.Type] {
        var types: [any ActionProtocol.Type] = []
        var last: any ActionProtocol.Type = Nested<Int>.self
        while types.count < count {
            types.append(last)
            last = around(last)
        }
        return types
    }

    @Test("a type always has the same cell, also with concurrent callers and many types")
    func growing() async {
        let types = types(200)
        await withTaskGroup(of: [ObjectIdentifier].self) { group in
            for _ in 0..<4 {
                group.addTask { types.map { ObjectIdentifier(PlugCell.of($0)) } }
            }
            var all: Set<[ObjectIdentifier]> = []
            for await cells in group { all.insert(cells) }
            #expect(all.count == 1)
            #expect(Set(all.first ?? []).count == types.count)
        }
        for type in types { #expect(PlugCell.of(type).key == ObjectIdentifier(type)) }
    }
}
