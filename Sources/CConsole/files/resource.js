/** A value that is read from the server, with its problem and its progress. */
import { refresh } from "./refresh.js";

/** Reads with `load` when `read` is called. A newer reading wins over an older one. The last value stays while it is read again. */
export function resource(load) {
    const state = { value: undefined, problem: null, isReading: false };
    let number = 0;
    state.read = async () => {
        const own = ++number;
        state.isReading = true;
        refresh();
        try {
            const value = await load();
            if (own !== number) return state.value;
            state.value = value;
            state.problem = null;
        } catch (problem) {
            if (own === number) state.problem = problem;
        } finally {
            if (own === number) {
                state.isReading = false;
                refresh();
            }
        }
        return state.value;
    };
    return state;
}
