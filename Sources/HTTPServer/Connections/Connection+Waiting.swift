/// The poller's interest and the timer while a connection waits.
extension Connection {
    /// Sets the poller's interest, if it has changed or unread bytes have to be reported again.
    func want(_ interest: EpollPoller.Interest) {
        guard interest != self.interest || hasUnread && interest == .read else { return }
        self.interest = interest
        hasUnread = false
        loop.poller.modify(fd, polled, token: token)
    }

    /// The interest passed to the poller.
    ///
    /// Plain reads are edge-triggered; bytes left after an event set `hasUnread`.
    ///
    /// A read that returns less than its buffer has emptied the socket (epoll(7)). That doesn't
    /// hold within TLS, and HTTP/2 waits for writability without filling the socket.
    var polled: EpollPoller.Interest {
        tls == nil && interest == .read ? interest.union(.once) : interest
    }

    /// Sets the poller's interest and the timer for what this connection waits for.
    ///
    /// Called whenever the loop is done with the connection for now.
    func settle() {
        let wait = state.wait(
            timer: timer,
            isBlocked: isBlocked,
            hasBegunHead: hasBegunHead,
            isDraining: loop.isDraining,
            allowsInterim: allowsInterim
        )
        if let wait { settle(wait) } else if let http2 { settle(http2) }
    }

    @inline(__always)
    func settle(_ wait: Wait) {
        if timer != wait.timer || wait.isNew {
            if wait.timer == .write { armWrite() } else { arm(wait.timer) }
        }
        want(wait.interest)
        // The poller doesn't report bytes that TLS has buffered.
        if let tls, tls.hasUnread, wait.interest.contains(.read), state.takesInput {
            queueTurn()
        }
    }

    /// Arms or restarts a timer in place of the current one; nil disarms it.
    @inline(__always)
    func arm(_ kind: TimerKind?) {
        loop.arm(self, kind)
    }

    /// Arms the timer of a client that has to receive more.
    func armWrite() {
        acknowledgedBefore = acknowledged
        arm(.write)
    }

    /// Schedules the connection to continue after the others, without the poller.
    func queueTurn() {
        loop.turns.append(token)
    }
}
