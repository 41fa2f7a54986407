// A test's file needs this import and `Testing`: the server, its client, and mocks.
@_exported public import PlugTesting
@_exported public import Plugboard
@_exported public import PlugboardClient
