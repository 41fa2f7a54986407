import GeneratedPets
import PlugboardClient

func callPets(_ client: Client) async throws {
    var keyed = client
    if let name = HTTPField.Name("api_key") { keyed.fields[name] = "k-1" }
    let input = PetInput(
        category: .init(id: 1, name: "Dogs"),
        name: "Rex",
        photoUrls: [],
        born: "2020-02-29",
        secret: "s",
        status: .available
    )
    let pet = try await keyed.send(UpdatePet.self, input)
    try show("pets.put", pet)
    try show("pets.add", try await client.send(AddPet.self, input).id)
    let found = try await client.send(
        FindPetsByStatus.self,
        .init(status: [.pending, .unrecognized("lost")], key: "q-1")
    )
    try show("pets.status", found.map(\.status))
    try show(
        "pets.form",
        try await client.send(UpdatePetWithForm.self, .init(petId: 7, name: "Max & Moritz")).name
    )
    try await client.send(DeletePetByPetId.self, .init(petId: 7, apiKey: "k-2"))
    let receipt = try await client.send(
        UploadFile.self,
        .init(
            petId: 7,
            body: .init(
                caption: "Sea",
                rank: 3,
                tags: ["a", "b"],
                place: .init(city: "Riga"),
                file: .init(name: "sea.jpg", bytes: [0xFF, 0xD8, 0x00], mediaType: "image/jpeg"),
                thumbnails: [.init(name: "t.png", bytes: [1], mediaType: "image/png")]
            )
        )
    )
    try show("pets.upload", receipt)
    try show("pets.inventory", try await keyed.send(GetInventory.self))
    let dog = try await client.send(
        AddAnimal.self,
        .dog(.init(petType: "", weight: 1.5, bark: "wuff"))
    )
    if case .dog(let dog) = dog { try show("pets.dog", dog) }
    let other = try await client.send(AddAnimal.self, .unrecognized(["petType": "fish"]))
    if case .unrecognized(let fish) = other { try show("pets.fish", fish) }
}
