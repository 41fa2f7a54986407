#if Macros
import Testing

@testable import PlugboardMacroPlugin

@Suite("The selector of a method")
struct SelectorNameTests {
    @Test(
        "joins the label with With, except beside a preposition",
        arguments: [
            ("openUrl", "url", "openUrlWithUrl:"), ("show", nil, "show:"),
            ("show", "message", "showWithMessage:"), ("move", "toPoint", "moveToPoint:"),
            ("moveTo", "point", "moveToPoint:"), ("wait", "for", "waitFor:"),
            ("open", "with", "openWith:"), ("open", "within", "openWithin:"),
            ("open", "withering", "openWithWithering:"), ("goto", "top", "gotoWithTop:"),
            ("as", "x", "asX:"), ("log", "URL", "logWithURL:"), ("log", "x1", "logWithX1:"),
        ] as [(String, String?, String)]
    )
    func selectors(_ method: String, _ label: String?, _ selector: String) {
        #expect(SelectorName.selector(method, label: label) == selector)
    }
}
#endif
