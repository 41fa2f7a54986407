public import Plug

/// An action whose type declares more than its input, output and endpoint.
///
/// Actions conform to a refinement, such as ``Scoped``. At its start the server looks for this
/// protocol, and for the refinements only if it finds it.
public protocol DeclaresPolicy: ActionProtocol {}
