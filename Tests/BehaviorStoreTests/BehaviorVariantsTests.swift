import Behaviors
import Targeting
import Testing

@testable import BehaviorStore

@Suite("Variants of a document")
struct BehaviorVariantsTests {
    private func document(_ rules: Int) -> [UInt8] {
        let modules = (0..<rules).map {
            #"{"name":"M\#($0)","when":{"==":[{"var":"m\#($0)"},"1"]},"actions":[{"func":"f"}]}"#
        }
        return Array("[\(modules.joined(separator: ",\n"))]".utf8)
    }

    private func context(_ number: Int, of rules: Int) throws -> TargetingContext {
        var properties: JSON.Object = [:]
        for rule in 0..<rules where number >> rule & 1 == 1 { properties["m\(rule)"] = "1" }
        return try TargetingContext(properties: properties)
    }

    private func variants(
        _ rules: Int,
        maximumSize: Int = BehaviorVariants.maximumSize
    ) throws -> BehaviorVariants {
        BehaviorVariants(
            try TargetedBehavior(json: document(rules)),
            tag: "t",
            lastModified: 0,
            maximumSize: maximumSize
        )
    }

    private func address(_ bytes: [UInt8]) -> UnsafeRawPointer? {
        bytes.withUnsafeBytes { $0.baseAddress }
    }

    @Test("a plain array is served unchanged, an object's modules as an array")
    func plain() throws {
        let text = Array(" [{\"name\" :\"A\",\"actions\":[ ]}]\n".utf8)
        let plain = try BehaviorRevision(authored: text, lastModified: 1)
        #expect(plain.bytes == text && plain.variants == nil)
        #expect(plain.etag == BehaviorRevision(bytes: text, lastModified: 1).etag)
        let object = #"{"segments": {"a": true}, "modules": [ {"name":"A","actions":[]}]}"#
        let bare = try BehaviorRevision(authored: Array(object.utf8), lastModified: 1)
        #expect(bare.bytes == Array(#"[{"name":"A","actions":[]}]"#.utf8) && bare.variants == nil)
    }

    @Test("a targeted revision's bytes are the variant for an empty context")
    func unknown() throws {
        let text = #"""
            [{"name":"A","when":{"!":[{"var":"x"}]},"actions":[]},
             {"name":"B","when":false,"actions":[]}]
            """#
        let revision = try BehaviorRevision(authored: Array(text.utf8), lastModified: 1)
        #expect(revision.bytes == Array(#"[{"name":"A","actions":[]}]"#.utf8))
        #expect(revision.variants != nil)
    }

    @Test("each variant is built once, and its ETag names revision and variant")
    func once() throws {
        let variants = try variants(2)
        var tags: Set<String> = []
        for number in 0..<4 {
            let variant = variants.behavior.evaluate(try context(number, of: 2)).variant
            let first = variants.revision(of: variant)
            let second = variants.revision(of: variant)
            #expect(address(first.bytes) == address(second.bytes))
            #expect(first.etag == "\"t.\(variant)\"" && second.etag == first.etag)
            #expect(!String(decoding: first.bytes, as: UTF8.self).contains("when"))
            tags.insert(first.etag)
        }
        #expect(tags.count == 4 && variants.count == 4)
    }

    @Test("revisions that differ only in a rule have different ETags")
    func revisions() throws {
        let texts = ["LV", "EE"].map {
            #"[{"name":"A","when":{"==":[{"var":"c"},"\#($0)"]},"actions":[]}]"#
        }
        let revisions = try texts.map {
            try BehaviorRevision(authored: Array($0.utf8), lastModified: 1)
        }
        #expect(revisions[0].bytes == revisions[1].bytes)
        #expect(revisions[0].etag != revisions[1].etag)
    }

    @Test("beyond 1,024 variants or the size limit, a variant is neither cached nor compressed")
    func bounds() throws {
        let many = try variants(11)
        for number in 0..<1 << 11 {
            let variant = many.behavior.evaluate(try context(number, of: 11)).variant
            let made = many.revision(of: variant)
            let isKept = many.known(variant) != nil
            #expect(isKept == (number < BehaviorVariants.maximumCount))
            #expect(made.etag == "\"t.\(variant)\"")
            let modules = try BehaviorDocument(json: made.bytes).modules
            #expect(modules.count == number.nonzeroBitCount)
            if !isKept { #expect(made.gzip == nil) }
        }
        #expect(many.count == BehaviorVariants.maximumCount)
        let small = try variants(4, maximumSize: 100)
        for number in (0..<16).reversed() {
            _ = small.revision(of: small.behavior.evaluate(try context(number, of: 4)).variant)
        }
        #expect(small.count < 4)
    }

    @Test("with more than 256 rules ETags contain digests and still differ per variant")
    func manyRules() throws {
        let variants = try variants(300)
        var tags: Set<String> = []
        for number in 0..<300 {
            let context = try TargetingContext(properties: ["m\(number)": "1"])
            let variant = variants.behavior.evaluate(context).variant
            let tag = variants.revision(of: variant).etag
            #expect(tag.utf8.count == "\"t.\"".utf8.count + 32)
            tags.insert(tag)
        }
        #expect(tags.count == 300)
    }

    @Test("only the first caller reports a revision's first problem")
    func problems() throws {
        let variants = try variants(1)
        #expect(variants.takesFirstProblem())
        #expect(!variants.takesFirstProblem())
        let live = LiveBehavior(BehaviorRevision(bytes: [], lastModified: 0))
        live.count(problems: 2)
        live.move(to: BehaviorRevision(bytes: [], lastModified: 1))
        live.count(problems: 1)
        #expect(live.problemCount == 3)
    }

    @Test("documents are found by name and listed by name")
    func documents() {
        let documents = LiveBehaviors()
        let version = documents.version
        let live = LiveBehavior(BehaviorRevision(bytes: [], lastModified: 0))
        for name in ["b", "a", "default", "a-1"] { documents[name] = live }
        #expect(documents.version == version + 4)
        #expect(documents.all.map(\.name) == ["a", "a-1", "b", "default"])
        #expect(documents["a"] === live)
        documents["a"] = nil
        #expect(documents["a"] == nil && documents.version == version + 5)
    }
}
