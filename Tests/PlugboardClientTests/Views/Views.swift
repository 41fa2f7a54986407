import JSONCodec
import PlugboardClient

struct ResponseUser: JSONView {
    static let username = ViewKey<String>("username")
    static let email = ViewKey<String?>("email")
    static let identifier = ViewKey<Int>("id")
    static let plan = ViewKey("plan", default: "free")
    static let score = ViewKey<Double?>("score")
    static let isAdmin = ViewKey("is/Admin", default: false)
    static let tags = ViewKey<[String]>("tags", default: [])
    static let home = ViewKey<Place?>("home")
    static let keys: [any AnyViewKey] = [
        username, email, identifier, plan, score, isAdmin, tags, home,
    ]

    var content: ViewContent

    var username: String {
        get { self[Self.username] }
        set { self[Self.username] = newValue }
    }
    var email: String? {
        get { self[Self.email] }
        set { self[Self.email] = newValue }
    }
    var identifier: Int { self[Self.identifier] }
    var plan: String {
        get { self[Self.plan] }
        set { self[Self.plan] = newValue }
    }
    var score: Double? {
        get { self[Self.score] }
        set { self[Self.score] = newValue }
    }
    var isAdmin: Bool { self[Self.isAdmin] }
    var tags: [String] { self[Self.tags] }
    var home: Place? {
        get { self[Self.home] }
        set { self[Self.home] = newValue }
    }

    struct Place: Codable, Equatable, ViewMember {
        var city: String
        static let replacement = Place(city: "")
    }
}

struct ResponseFollow: JSONView {
    static let follower = ViewKey<ResponseUser>("follower")
    static let followed = ViewKey<ResponseUser?>("followed")
    static let others = ViewKey<[ResponseUser]>("others", default: [])
    static let cells = ViewKey<[Int?]>("cells", default: [])
    static let keys: [any AnyViewKey] = [follower, followed, others, cells]

    var content: ViewContent

    var follower: ResponseUser {
        get { self[Self.follower] }
        set { self[Self.follower] = newValue }
    }
    var followed: ResponseUser? { self[Self.followed] }
    var others: [ResponseUser] { self[Self.others] }
    var cells: [Int?] { self[Self.cells] }
}
