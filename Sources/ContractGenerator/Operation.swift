/// A contract of the file: the class of an action.
struct Operation {
    let name: String
    /// The method's protocol: `GET`.
    let method: String
    let path: String
    var comment = ""
    var isDeprecated = false
    var needsKey = false
    var input = Input.nothing
    /// The output as it is written.
    var output = "Void"
    /// The media type of a `ResponseBody`, or of JSON under another name.
    var mediaType: String?
    /// The output's members in header fields, with the fields' names.
    var responseFields: [(member: String, field: String)] = []
    /// The types of the problems that it declares.
    var problems: [String] = []
    /// The class that has the types of the operation: its own, or that of its other response.
    var owner = ""
    /// The names of the owner's types.
    var nested: Set<String> = []
    /// The types that belong to the operation.
    var declarations: [Declaration] = []
    /// The forms that belong to the operation.
    var forms: [Form] = []

    /// The input of an action.
    enum Input {
        case nothing
        /// The body alone, of any media type.
        case body
        /// A type as it is written.
        case type(String)
        case members(InputMembers)
    }

    /// An input with members.
    struct InputMembers {
        var members: [Member]
        /// The members in header fields, with the fields' names.
        var fields: [(key: String, name: String)] = []
        /// The members in the query of a request with a body.
        var queried: [String] = []
        /// The body beside the members; nil if the members are the body.
        var body: OwnBody?
    }

    /// A body that the input makes.
    struct OwnBody {
        enum Content {
            case json(mediaType: String)
            case form
            case multipart
            /// A `RequestBody`.
            case bytes
            /// No body, though the method may have one.
            case nothing
        }

        let content: Content
        /// The type without the mark of an optional.
        let type: String
        let isRequired: Bool
        let comment: String
    }

    /// The fields and files of `multipart/form-data`.
    struct Form {
        struct Part {
            let name: String
            let key: String
            /// The type without the mark of an optional.
            let type: String
            let isRequired: Bool
            let isList: Bool
            let isFile: Bool
            let comment: String
        }

        let name: String
        let parts: [Part]
    }
}

/// The reason why an operation is left out.
struct LeftOut: Error {
    let pointer: String
    let reason: String

    init(_ pointer: String, _ reason: String) {
        self.pointer = pointer
        self.reason = reason
    }
}
