import PlugHTTP

/// The lines of a problem on the terminal: each text once.
enum ProblemText {
    /// Returns the status with the detail, then the errors that the detail lacks.
    static func lines(of problem: Problem) -> [String] {
        let errors = (problem.errors ?? []).map { error in
            error.pointer.isEmpty ? error.detail : "\(error.pointer): \(error.detail)"
        }
        let detail = problem.detail ?? ""
        let missing = errors.filter { !detail.contains($0) }
        if missing.isEmpty { return ["\(problem)"] }
        guard missing.count < errors.count else { return ["\(problem)"] + errors }
        // The detail is the beginning of the list.
        var short = problem
        short.detail = nil
        return ["\(short)"] + errors
    }
}
