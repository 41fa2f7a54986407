import CivilDate
import Testing

@Suite("Dates of the Gregorian calendar")
struct CivilDateTests {
    @Test("consecutive days of four centuries differ by one")
    func days() {
        var before = CivilDate(daysSince1970: -720_000)
        for day in -719_999...150_000 {
            let date = CivilDate(daysSince1970: day)
            #expect(date.daysSince1970 == day)
            let isNext =
                date.day == before.day + 1 && (date.year, date.month) == (before.year, before.month)
                || date.day == 1 && before.day >= 28
                    && date.year * 12 + date.month == before.year * 12 + before.month + 1
            guard isNext else {
                Issue.record("\(date) follows \(before)")
                return
            }
            before = date
        }
    }

    @Test(
        "known dates",
        arguments: [
            (0, 1970, 1, 1), (-1, 1969, 12, 31), (11_016, 2000, 2, 29), (-719_162, 1, 1, 1),
            (2_932_896, 9999, 12, 31),
        ]
    )
    func known(days: Int, year: Int, month: Int, day: Int) {
        #expect(CivilDate(daysSince1970: days) == CivilDate(year, month, day))
        #expect(CivilDate(year, month, day)?.daysSince1970 == days)
    }

    @Test(
        "invalid dates are rejected",
        arguments: [
            (2023, 2, 29), (1900, 2, 29), (2024, 4, 31), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0),
            (2024, 1, 32), (2024, 2, .max), (.max, 1, 1), (.min, 1, 1),
        ]
    )
    func invalid(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year, month, day) == nil)
    }
}
