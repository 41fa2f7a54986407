import GeneratedChat
import PlugboardClient

func callChat(_ client: Client) async throws {
    var request = CreateChatCompletionRequest(
        metadata: ["run": "1"],
        messages: [
            .init(role: .system, content: .string("Be brief")),
            .init(
                role: .user,
                content: .array([
                    .textPart(.init(text: "Describe")),
                    .imagePart(
                        .init(imageUrl: .init(url: "https://example.com/a.png", detail: .low))
                    ),
                ])
            ),
        ],
        model: "large",
        stop: .array(["END"]),
        responseFormat: .schemaFormat(.init(jsonSchema: ["type": "object"])),
        toolChoice: .string(.auto)
    )
    let response = try await client.send(CreateChatCompletion.self, request)
    try show("chat.response", response)
    try show("chat.usage", response.usage?.additional)
    try show("chat.null", response.choices[0].message.content == nil)
    request.stream = true
    var text = ""
    for try await event in try await client.send(CreateChatCompletionEvents.self, request) {
        text += event.data + "|"
    }
    try show("chat.events", text)
    request.model = "busy"
    do {
        _ = try await client.send(CreateChatCompletion.self, request)
    } catch let problem as Problem {
        try show("chat.busy", try problem.body?.decode(ErrorResponse.self))
    }
    let vectors = try await client.send(
        CreateEmbedding.self,
        .init(input: ["a", "b"], model: .embedSmall, encodingFormat: .float)
    )
    try show("chat.vectors", vectors)
    let transcription = try await client.send(
        CreateTranscription.self,
        .init(
            body: .init(
                file: .init(name: "a.wav", bytes: Array("RIFF".utf8), mediaType: "audio/wav"),
                model: "ear",
                temperature: 0.5,
                timestampGranularities: [.word, .segment]
            )
        )
    )
    try show("chat.transcription", transcription.text)
    var audio: [UInt8] = []
    for try await piece in try await client.send(
        CreateSpeech.self,
        .init(input: "Hi", voice: .echo)
    ) {
        audio += piece
    }
    try show("chat.speech", audio)
    for try await message in try await client.send(DownloadFile.self, .init(fileId: "file-1")) {
        try show("chat.line", message.role)
    }
}
