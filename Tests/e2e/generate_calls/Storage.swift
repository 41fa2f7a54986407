import Foundation
import GeneratedStorage
import PlugboardClient

func callStorage(_ client: Client) async throws {
    try show(
        "store.bucket",
        try await client.send(CreateBucket.self, .init(bucket: "new", body: .init(location: "US")))
    )
    try show("store.exists", try await client.send(CreateBucket.self, .init(bucket: "old")) == nil)
    let object = try await client.send(
        PutObject.self,
        .init(
            bucket: "b",
            objectName: "a/ü",
            xStorageClass: .coldLine,
            xMetaTags: ["red", "a,b"],
            ifMatch: "\"1\"",
            generation: 3,
            body: RequestBody(bytes: [0, 255, 10], mediaType: "application/octet-stream")
        )
    )
    try show("store.put", object)
    let part = try await client.send(
        GetObject.self,
        .init(bucket: "b", objectName: "a/ü", range: "bytes=1-2")
    )
    var bytes: [UInt8] = []
    for try await piece in part { bytes += piece }
    try show("store.get", bytes)
    try show("store.type", part.mediaType)
    try show(
        "store.patch",
        try await client.send(
            PatchObject.self,
            .init(bucket: "b", objectName: "a", body: .init(etag: .clear))
        ).size
    )
    try await client.send(DeleteObject.self, .init(bucket: "b", objectName: "a"))
    let folder = try await client.send(
        ListObjects.self,
        .init(bucket: "b", prefix: "a/&", maxKeys: 2)
    )
    try show("store.list", folder)
    try show("store.parent", folder.folders?[0].parent?.value.name)
    let note = try await client.send(
        PostNote.self,
        .init(
            class: "c d",
            dryRun: true,
            class2: 5,
            self_: "me",
            in: "out",
            at: Date(timeIntervalSince1970: 1),
            id: UUID(uuidString: "DEADBEEF-0000-4000-8000-000000000001"),
            sum: Data([1, 2, 3]),
            retention: nil,
            any: ["x": [1, nil]],
            matrix: [[1.5], []],
            größe: 2,
            fooBar: "snake",
            fooBar2: "camel"
        )
    )
    try show("store.note", note)
}
