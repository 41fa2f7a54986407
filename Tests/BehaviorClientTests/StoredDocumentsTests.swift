import SeededNumbers
import Testing

@testable import BehaviorClient

@Suite("The list of stored documents")
struct StoredDocumentsTests {
    private func entry(_ revision: String, _ context: String, _ file: Int) -> StoredDocuments.Entry
    {
        StoredDocuments.Entry(revision: revision, context: context, file: file)
    }

    @Test("has at most eight documents, three of a context, each with its own file")
    func bounded() {
        var documents = StoredDocuments()
        var numbers = SeededNumbers(seed: 3)
        for number in 0..<2_000 {
            let context = String(Int.random(in: 0..<5, using: &numbers))
            documents.add(entry("\(number)", context, documents.freeFile)) { _ in
                Bool.random(using: &numbers)
            }
            #expect(documents.entries.first?.revision == "\(number)")
            #expect(documents.entries.count <= 8)
            #expect(documents.entries(for: context).count <= 3)
            #expect(Set(documents.entries.map(\.file)).count == documents.entries.count)
            #expect(!documents.entries.contains { $0.file == documents.freeFile })
        }
    }

    @Test("keeps the latest survivor of a context")
    func survivor() {
        var documents = StoredDocuments()
        for number in 0..<20 {
            documents.add(entry("\(number)", "", documents.freeFile)) { $0 == "1" }
        }
        #expect(documents.entries.map(\.revision) == ["19", "18", "1"])
    }

    @Test("has a document once, at its latest place")
    func again() {
        var documents = StoredDocuments()
        for revision in ["a", "b", "a"] {
            documents.add(entry(revision, "", documents.freeFile)) { _ in false }
        }
        #expect(documents.entries.map(\.revision) == ["a", "b"])
        documents.setTag("\"1\"", of: "b", context: "")
        documents.setTag("\"2\"", of: "b", context: "other")
        #expect(documents.entries.map(\.tag) == [nil, "\"1\""])
        documents.remove(file: documents.entries[0].file)
        #expect(documents.entries.map(\.revision) == ["b"])
    }
}
