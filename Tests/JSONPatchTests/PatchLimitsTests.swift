import JSONCodec
import JSONPatch
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Limits of a JSON Patch")
struct PatchBoundsTests {
    @Test("copies that double the document are stopped: 1 KiB can't become a gigabyte")
    func doubling() throws {
        let copy = #"{"op":"copy","from":"","path":"/-"}"#
        let patch = try json("[" + Array(repeating: copy, count: 28).joined(separator: ",") + "]")
        #expect(patch.encoded().count <= 1_024)
        let error = #expect(throws: PatchError.self) { try Patch(patch).apply(to: [1]) }
        #expect(error?.kind == .tooLarge)
        #expect(error?.message == "the copies have more than 4194304 bytes")
    }

    @Test("a patch has at most ten thousand operations")
    func operations() throws {
        let add = try json(#"{"op":"add","path":"/-","value":1}"#)
        let most = try Patch(.array(Array(repeating: add, count: 10_000)))
        #expect(try most.apply(to: []).array?.count == 10_000)
        let error = #expect(throws: PatchError.self) {
            try Patch(.array(Array(repeating: add, count: 10_001)))
        }
        #expect(error?.kind == .tooLarge)
        #expect(error?.operation == 10_000)
    }

    @Test("a result that nests too deep is rejected")
    func depth() throws {
        let deep = (0..<511).reduce(JSON.array([])) { value, _ in .array([value]) }
        #expect(throws: PatchError.self) {
            try Patch([.add(Pointer(tokens: ["0", "0"]), deep)]).apply(to: [[]])
        }
        #expect(throws: PatchError.self) {
            try Patch([.move(from: Pointer(tokens: ["a"]), to: Pointer(tokens: ["b", "c"]))])
                .apply(to: ["a": deep, "b": [:]])
        }
        #expect(throws: PatchError.self) {
            try Patch([
                .copy(from: Pointer(tokens: ["a", "0"]), to: Pointer(tokens: ["b", "c", "d"]))
            ])
            .apply(to: ["a": deep, "b": ["c": [:]]])
        }
        let fits = try Patch([.move(from: Pointer(tokens: ["a", "0"]), to: Pointer(tokens: ["b"]))])
            .apply(to: ["a": .array([deep])])
        #expect(fits["b"] == deep)
    }

    @Test("a patch that repeatedly shifts a long list or a large object is stopped")
    func steps() throws {
        let list = JSON.array(Array(repeating: 1, count: 400_000))
        let remove = Patch.Operation.remove(Pointer(tokens: ["0"]))
        let error = #expect(throws: PatchError.self) {
            try Patch(Array(repeating: remove, count: 10_000)).apply(to: list)
        }
        #expect(error?.kind == .tooLarge)
        #expect(error?.operation == 800)

        var bounds = PatchLimits()
        bounds.steps = 100
        let members = JSON.object(JSON.Object((0..<60).map { ("\($0)", 1) }))
        #expect(throws: PatchError.self) {
            try Patch([.remove(Pointer(tokens: ["1"])), .remove(Pointer(tokens: ["2"]))])
                .apply(to: members, bounds: bounds)
        }
    }

    @Test("ten thousand actions can be removed from the front, one by one")
    func manyActions() throws {
        let actions = JSON.array((0..<10_000).map { ["func": .string("f\($0)")] })
        let remove = Patch.Operation.remove(Pointer(tokens: ["0", "actions", "0"]))
        let patch = Patch(Array(repeating: remove, count: 10_000))
        let emptied = try patch.apply(to: [["name": "A", "actions": actions]])
        #expect(emptied == [["name": "A", "actions": []]])
    }

    /// Returns this thread's processor time in nanoseconds, without other work of the machine.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    @Test("a long list is changed in place")
    func inPlace() throws {
        let list = JSON.array((0..<250_000).map { .string("element \($0)") })
        func fastest(_ operation: (Int) -> Patch.Operation) throws -> Int {
            let patch = Patch((0..<1_000).map(operation))
            return try (0..<3).map { _ in
                let begin = Self.processorTime()
                _ = try patch.apply(to: ["a": ["list": list]])
                return Self.processorTime() - begin
            }.min() ?? 0
        }
        func place(_ number: Int) -> Pointer { Pointer(tokens: ["a", "list", "\(number * 200)"]) }
        let adding = try fastest { _ in .add(Pointer(tokens: ["a", "list", "-"]), 1) }
        // One copy of the list for each operation takes hundreds of times as long.
        #expect(try fastest { .replace(place($0), 1) } < adding * 20)
        #expect(try fastest { .test(place($0), .string("element \($0 * 200)")) } < adding * 20)
        // From behind, where little is moved.
        let last = { Pointer(tokens: ["a", "list", "\(249_999 - $0)"]) }
        #expect(try fastest { .remove(last($0)) } < adding * 20)
    }
}
