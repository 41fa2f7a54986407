import Testing

@testable import Targeting

@Suite("Rules: lists")
struct EvaluatorListsTests {
    @Test("map, filter, reduce, all, some and none iterate over lists")
    func lists() throws {
        try EvaluatorTests.expect(
            #"""
            {"map": [{"var": "sums"}, {"*": [{"var": ""}, 2]}]} → [2,4,6,8]
            {"map": [{"var": "absent"}, {"var": ""}]} → []
            {"map": [{"var": "sums"}, {"var": "name"}]} → [null,null,null,null]
            {"filter": [{"var": "sums"}, {"%": [{"var": ""}, 2]}]} → [1,3]
            {"filter": [{"var": "name"}, true]} → []
            {"reduce": [{"var": "sums"}, {"+": [{"var": "current"}, {"var": "accumulator"}]}, 10]} → 20
            {"reduce": [{"var": "absent"}, {"var": "current"}, 7]} → 7
            {"reduce": [{"var": "sums"}, {"var": "current"}]} → 4
            {"all": [{"var": "sums"}, {">": [{"var": ""}, 0]}]} → true
            {"all": [{"var": "none"}, true]} → false
            {"none": [{"var": "none"}, true]} → true
            {"none": [{"var": "sums"}, {"==": [{"var": ""}, 3]}]} → false
            {"some": [{"var": "tags"}, {"==": [{"var": ""}, "poems"]}]} → true
            {"some": [{"var": "absent"}, true]} → false
            {"map": [[[1, 2], [3]], {"map": [{"var": ""}, {"+": [{"var": ""}, 1]}]}]} → [[2,3],[4]]
            {"merge": [1, [2, [3]], {"var": "none"}]} → [1,2,[3]]
            {"merge": []} → []
            {"in": ["poems", {"var": "tags"}]} → true
            {"in": [1, ["1"]]} → false
            {"in": [null, [null]]} → true
            {"in": [[1], [[1]]]} → false
            {"in": ["don", {"var": "address.city"}]} → true
            {"in": ["Don", {"var": "address.city"}]} → false
            {"in": ["", "a"]} → true
            {"in": ["", {"var": "empty"}]} → false
            {"in": [1, "210"]} → true
            {"in": ["a", {"var": "age"}]} → false
            """#
        )
    }
}
