// The macros' expansions name these modules' types, so one import is enough.
@_exported public import PlugboardClient
