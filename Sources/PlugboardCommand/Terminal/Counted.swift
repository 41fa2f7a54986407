/// Returns a number with its noun: `1 call`, `2 calls`.
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)" + (number == 1 ? "" : "s")
}
