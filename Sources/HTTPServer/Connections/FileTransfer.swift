/// A file that is being sent.
struct FileTransfer {
    let body: FileBody
    var offset: Int
    var remaining: Int
}
