import Testing

@testable import Targeting

@Suite("Rules: texts and versions")
struct EvaluatorTextsTests {
    @Test("cat joins and substr cuts texts, counted in UTF-16 units")
    func texts() throws {
        try EvaluatorTests.expect(
            #"""
            {"cat": ["I am ", {"var": "age"}, {"var": "nothing"}, "."]} → "I am 36."
            {"cat": [1, 2.50, true, [1, [2, null]], {"var": "address"}]} → "12.5true1,2,[object Object]"
            {"cat": [1e21, " ", 1e-7, " ", -0.0]} → "1e+21 1e-7 0"
            {"cat": {"/": [-1, {"var": "zero"}]}} → "-Infinity"
            {"substr": ["London", 3]} → "don"
            {"substr": ["London", -3]} → "don"
            {"substr": ["London", 1, 2]} → "on"
            {"substr": ["London", 1, -2]} → "ond"
            {"substr": ["London", -4, -2]} → "nd"
            {"substr": ["London", 9]} → ""
            {"substr": ["London", -9, 2]} → "Lo"
            {"substr": ["London", 2, -9]} → ""
            {"substr": ["a😀b", 3]} → "b"
            {"substr": ["a😀b", 0, 3]} → "a😀"
            {"substr": [1234, 1, 2]} → "23"
            {"substr": ["text", {"var": "name"}]} → "text"
            {"substr": ["text", {"/": [1, {"var": "zero"}]}]} → ""
            {"starts_with": [{"var": "address.city"}, "Lon"]} → true
            {"starts_with": [{"var": "address.city"}, "lon"]} → false
            {"starts_with": [{"var": "address.city"}, ""]} → true
            {"ends_with": [{"var": "address.city"}, "don"]} → true
            {"ends_with": [{"var": "name"}, "Lady Ada"]} → false
            """#
        )
    }

    @Test("sem_ver compares versions")
    func versions() throws {
        try EvaluatorTests.expect(
            #"""
            {"sem_ver": [{"var": "version"}, ">=", "2.1"]} → false
            {"sem_ver": [{"var": "version"}, ">", "v2.1.0-rc.1"]} → true
            {"sem_ver": [{"var": "version"}, "~", "2.1.9"]} → true
            {"sem_ver": [{"var": "version"}, "^", 2]} → true
            {"sem_ver": [{"var": "score"}, "=", "1.5.0"]} → true
            {"sem_ver": [{"var": "version"}, {"cat": ["!", "="]}, {"var": "version"}]} → false
            """#
        )
    }
}
