import PhotoContracts

extension Photo {
    /// The photos of a new store.
    static let first: [Photo] = [
        Photo(id: 1, title: "Gagarin before the start"),
        Photo(id: 7, title: "Tereshkova on the radio"),
        Photo(id: 42, title: "Earthrise"),
    ]
}
