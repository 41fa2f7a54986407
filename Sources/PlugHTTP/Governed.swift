public import Plug

/// An action whose type declares more than what it takes, what it gives and where.
///
/// Nothing conforms to this alone, but to what says what is declared, such as ``Scoped``. A server
/// looks for this one at its start, and for the others where it finds it.
public protocol Governed: ActionProtocol {}
