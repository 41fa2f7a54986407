import Testing

@testable import HTTPSyntax

@Suite("Output buffers")
struct OutputBufferTests {
    @Test("numbers are written in decimal", arguments: [0, 9, 10, 99, 100, 65535, Int.max])
    func decimal(number: Int) {
        var buffer = OutputBuffer(capacity: 1)
        buffer.append(decimal: number)
        let text = buffer.bytes.text
        #expect(text == String(number))
    }

    @Test("appended bytes are sent in order while the buffer grows")
    func growth() {
        var buffer = OutputBuffer(capacity: 64)
        var expected: [UInt8] = []
        for round in 0..<200 {
            let bytes = Array("piece \(round);".utf8)
            buffer.append(bytes)
            expected += bytes
            if round % 3 == 0 {
                buffer.consume(5)
                expected.removeFirst(5)
            }
        }
        let bytes = Array(buffer.bytes)
        #expect(bytes == expected)
        buffer.consume(buffer.count)
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
    }

    @Test("emptying frees large memory and retains memory of the usual size")
    func removal() {
        var buffer = OutputBuffer(capacity: 64)
        buffer.append([UInt8](repeating: 1, count: 10_000))
        buffer.removeAll(keepingCapacity: 128)
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
        buffer.append("abc")
        let text = buffer.bytes.text
        #expect(text == "abc")
    }
}
