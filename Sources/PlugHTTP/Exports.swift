// `JSON` is part of what this module's users write.
@_exported public import JSONCodec
