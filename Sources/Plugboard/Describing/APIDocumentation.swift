import Digests
import Glibc
import Gzip
import HTTPSyntax
import HTTPServer
import Identity
import JSONCodec
import Locking
public import Plug
public import PlugHTTP

/// Describes the server's actions in OpenAPI 3.1, from which clients in other languages are
/// generated.
///
/// Every server has it at `GET /openapi.json`. The description follows from the actions' types. An
/// action of the application at the same route replaces it.
open class DescribeAPI: Action<Void, ResponseBody>, GET {
    /// Served at `GET /openapi.json`.
    public static var path: String { "/openapi.json" }
}

/// A page that shows the server's actions, each with a form that calls it.
///
/// Every server has it at `GET /docs`. The page loads nothing from other servers.
open class ShowAPI: Action<Void, ResponseBody>, GET {
    /// Served at `GET /docs`.
    public static var path: String { "/docs" }
}

extension ExposedAction {
    /// The actions with which every server documents itself.
    static func documentation(
        _ info: APIInfo,
        _ actions: [ExposedAction],
        hasBehaviors: Bool,
        hasNamedBehaviors: Bool,
        security: OpenAPI.Security,
        tagsAll: Bool
    ) -> [ExposedAction] {
        [
            ExposedAction(page: DescribeAPI.self, RequestSubject.Route.description) {
                let document = OpenAPI.document(
                    of: actions,
                    info: info,
                    hasBehaviors: hasBehaviors,
                    hasNamedBehaviors: hasNamedBehaviors,
                    security: security,
                    tagsAll: tagsAll
                )
                return Representations(page: document.encoded(), "application/json")
            },
            ExposedAction(page: ShowAPI.self, RequestSubject.Route.documentation) {
                Representations(
                    page: Array(DocumentationPage.html.utf8),
                    "text/html; charset=utf-8",
                    DocumentationPage.fields
                )
            },
        ]
    }

    /// An action that responds with a page, which is built at its first request.
    private convenience init<E: Endpoint>(
        page action: E.Type,
        _ number: Int,
        make: @escaping @Sendable () -> Representations
    ) {
        let page = Once(make)
        var declarations = Declarations()
        declarations.evaluatesConditions = true
        self.init(
            action,
            action,
            number: number,
            declarations,
            .nothing,
            .body
        ) { request, _, _ in
            if let made = page.made { return .now(made.answer(request.head)) }
            let held = HeadCopy(request.head)
            return .later {
                await WorkQueue.computing.respond { page.value.answer(held.head) }
            }
        }
    }
}

extension Representations {
    /// A document that stays the same while the server runs.
    fileprivate init(
        page bytes: [UInt8],
        _ mediaType: String,
        _ fields: [(name: String, value: String)] = []
    ) {
        let digest = bytes.withUnsafeBufferPointer { Digest.sha256($0) }
        self.init(
            bytes,
            gzip: bytes.withUnsafeBufferPointer { Gzip.compress($0, .kept) },
            etag: "\"\(Base64URL.encode(Array(digest.prefix(12))))\"",
            mediaType: mediaType,
            caching: [("Cache-Control", "no-cache")] + fields
        )
    }
}
