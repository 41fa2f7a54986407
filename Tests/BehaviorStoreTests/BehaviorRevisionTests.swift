import BehaviorStore
import Testing

@Suite("Revisions")
struct BehaviorRevisionTests {
    @Test("an ETag is strong and depends on the content alone")
    func tag() {
        let one = BehaviorRevision(bytes: Array("[]".utf8), lastModified: 1)
        let other = BehaviorRevision(bytes: Array("[]".utf8), lastModified: 2)
        #expect(one.etag == other.etag)
        #expect(one.etag.wholeMatch(of: /"[0-9a-f]{16}-2"/) != nil)
        #expect(other.lastModified == 2)
    }

    @Test("different contents have different ETags")
    func tags() {
        let texts = ["", "[]", "[ ]", "[] ", "[\n]"]
        let tags = Set(
            texts.map { BehaviorRevision(bytes: Array($0.utf8), lastModified: 0).etag }
        )
        #expect(tags.count == texts.count)
    }

    @Test("a digest retains its leading zeros")
    func digest() {
        // The offset basis of FNV-1a, and what it makes of "a": the published vectors.
        #expect(BehaviorRevision(bytes: [], lastModified: 0).etag == "\"cbf29ce484222325-0\"")
        let a = BehaviorRevision(bytes: Array("a".utf8), lastModified: 0)
        #expect(a.etag == "\"af63dc4c8601ec8c-1\"")
        for number in 0..<200 {
            let revision = BehaviorRevision(bytes: Array("\(number)".utf8), lastModified: 0)
            #expect(revision.etag.wholeMatch(of: /"[0-9a-f]{16}-[1-3]"/) != nil)
        }
    }
}
