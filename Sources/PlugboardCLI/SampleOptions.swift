import ArgumentParser
import Settings

/// The options of `serve` for the samples that it exposes.
struct SampleOptions: ParsableArguments {
    static let hasOrders = Setting("orders", default: false)

    @Flag(hasOrders, "Serves the orders sample, too.")
    var orders: Bool?

    @OptionGroup var photos: PhotoOptions
}
