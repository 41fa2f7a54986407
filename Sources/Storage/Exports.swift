// This module's users write SQL with GRDB's `Database`.
@_exported public import GRDB
