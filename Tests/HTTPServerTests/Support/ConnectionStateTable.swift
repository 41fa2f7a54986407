import HTTPSyntax

@testable import HTTPServer

/// The outcome of each event in each state, as text.
///
/// A line has states on the left, then the outcome. The first line of an event that holds is the
/// outcome. A state is named by words: readings, of which one must hold, and `blocked`, `turn`,
/// `hungUp`, `sending`, `endless` and `ending`, which all must. An outcome is a list of changes
/// (`→head`, `=lingers`, `hungUp`, `!turn`) and actions; `-` is none.
let connectionStateTable = """
    readable
        blocked                                     | noteUnread
        turn                                        | noteUnread
        proxyHeader                                 | readProxyHeader
        handshaking                                 | handshake
        head collecting streaming http2             | read
        responding                                  | →paused settle
        full starting paused                        | settle
        lingering                                   | drop
    readable end
        blocked                                     | noteUnread
        turn                                        | noteUnread
        proxyHeader                                 | noteUnread readProxyHeader
        handshaking                                 | noteUnread handshake
        head collecting streaming http2             | noteUnread read
        full starting responding paused             | hungUp noteUnread armHangUp settle
        lingering                                   | noteUnread drop
    exhausted
        blocked                                     | settle
        any                                         | -
    ended
        http2 blocked                               | hungUp hangUpSession settle
        http2                                       | hungUp hangUpSession writeSession
        any                                         | close
    failed
        any                                         | close
    blocked
        any                                         | closes→lingers armWrite settle
    writable
        handshaking                                 | handshake
        blocked                                     | send
        http2 hungUp                                | armWrite writeRoom
        http2                                       | armWrite readBeforeCheck writeRoom
        head turn                                   | settle
        head                                        | resume
        any                                         | settle
    flushed
        blocked                                     | -
        sending                                     | -
        head collecting streaming full http2 ending | shutDown
        any                                         | -
    shutDown
        lingers                                     | →lingering !sending armLinger settle
        any                                         | close
    close
        any                                         | →closed !sending
    proxied
        proxyHeader                                 | →head !hungUp read settle
        any                                         | -
    proxied secure
        proxyHeader                                 | →handshaking !hungUp handshake
        any                                         | -
    established
        handshaking                                 | →head !hungUp
        any                                         | -
    alerted
        any                                         | →lingering !sending abandonAll armLinger settle
    excess
        any                                         | =lingers
    shared
        any                                         | turn queueTurn
    turn
        any                                         | !turn resume
    beginHTTP2
        head                                        | →http2 !hungUp
        any                                         | -
    endHTTP2 at once
        any                                         | ≥closes
    endHTTP2
        any                                         | =lingers
    collect
        head                                        | →collecting !hungUp armBody
        any                                         | -
    collected
        collecting                                  | →head !hungUp
        any                                         | -
    stream
        head                                        | →streaming !hungUp armBody
        any                                         | -
    filled
        streaming                                   | →full !hungUp
        any                                         | -
    drained
        streaming full                              | →streaming !hungUp settle
        any                                         | -
    streamed
        streaming full                              | →responding !hungUp disarm
        any                                         | -
    rejectLater
        any                                         | =lingers
    reject
        sending                                     | close
        handshaking head collecting streaming full  | →head !hungUp =lingers abandonBody
        any                                         | -
    promise
        head                                        | →starting !hungUp
        any                                         | -
    started
        starting                                    | →responding !hungUp disarm
        head                                        | releaseTask
        any                                         | -
    ready
        starting responding paused                  | writeResponse
        streaming full                              | rejectRequest
        any                                         | -
    ready stream
        starting responding paused streaming full   | writeResponse
        any                                         | -
    begin
        head                                        | →starting !hungUp sending
        starting                                    | sending
        responding paused streaming full            | sending flush
        any                                         | -
    begin endless
        head                                        | →starting !hungUp endless
        starting                                    | endless
        responding paused streaming full            | endless flush
        any                                         | -
    complete
        sending                                     | -
        starting                                    | →head !hungUp
        responding paused                           | →head !hungUp releaseTask flush resume
        any                                         | -
    bodyEnded
        starting sending                            | →head !hungUp !sending
        streaming full sending                      | →head !hungUp !sending =lingers abandonBody releaseTask flush resume
        sending                                     | →head !hungUp !sending releaseTask flush resume
        any                                         | -
    bodyBroke
        starting sending                            | →head !hungUp !sending ≥closes
        streaming full sending                      | →head !hungUp !sending =lingers abandonBody releaseTask flush resume
        sending                                     | →head !hungUp !sending ≥closes releaseTask flush resume
        any                                         | -
    truncated
        any                                         | ≥closes
    last
        any                                         | ≥closes
    last more
        any                                         | =lingers
    timer head
        proxyHeader                                 | rejectLateProxyHeader
        handshaking                                 | close
        http2                                       | failSession writeSession
        any                                         | rejectLateHead
    timer body
        http2                                       | close
        any                                         | rejectLateBody
    timer idle
        http2                                       | endSession writeSession
        any                                         | close
    timer write
        http2 hungUp                                | checkTaken
        http2                                       | checkTaken readBeforeCheck
        any                                         | checkTaken
    timer linger
        http2                                       | endSession writeSession
        proxyHeader                                 | rejectLateProxyHeader
        any                                         | close
    timer streams
        http2                                       | checkStreams writeSession
        any                                         | close
    timer hangUp
        http2                                       | probeSession writeSession
        endless                                     | sendHeartbeat settle
        streaming full sending                      | -
        sending                                     | cancelTask
        any                                         | sendContinue
    timer hangUp HTTP/1.0
        http2                                       | probeSession writeSession
        endless                                     | sendHeartbeat settle
        streaming full                              | -
        any                                         | cancelTask
    timer heartbeat
        http2                                       | probeSession writeSession
        endless                                     | sendHeartbeat settle
        !hungUp                                     | sendHeartbeat settle
        streaming full sending                      | -
        sending                                     | cancelTask
        any                                         | sendContinue
    timer heartbeat HTTP/1.0
        http2                                       | probeSession writeSession
        endless                                     | sendHeartbeat settle
        !hungUp                                     | sendHeartbeat settle
        streaming full                              | -
        any                                         | cancelTask
    drain
        http2                                       | drainSession writeSession
        endless                                     | cancelTask
        proxyHeader handshaking                     | drainHandshake
        head blocked                                | -
        head                                        | endIfIdle
        any                                         | -
    idle
        any                                         | ≥closes flush
    """

/// The events of the table, each under its name there.
let connectionEvents: [(name: String, event: ConnectionState.Event)] =
    [
        ("readable", .readable(isHungUp: false)), ("readable end", .readable(isHungUp: true)),
        ("exhausted", .exhausted), ("ended", .ended), ("failed", .failed), ("blocked", .blocked),
        ("writable", .writable), ("flushed", .flushed), ("shutDown", .shutDown), ("close", .close),
        ("proxied", .proxied(isSecure: false)), ("proxied secure", .proxied(isSecure: true)),
        ("established", .established), ("alerted", .alerted), ("excess", .excess),
        ("shared", .shared),
        ("turn", .turn), ("beginHTTP2", .beginHTTP2),
        ("endHTTP2 at once", .endHTTP2(isAtOnce: true)),
        ("endHTTP2", .endHTTP2(isAtOnce: false)), ("collect", .collect), ("collected", .collected),
        ("stream", .stream), ("filled", .filled), ("drained", .drained), ("streamed", .streamed),
        ("rejectLater", .rejectLater), ("reject", .reject), ("promise", .promise),
        ("started", .started), ("ready", .ready(hasStream: false)),
        ("ready stream", .ready(hasStream: true)), ("begin", .begin(isEndless: false)),
        ("begin endless", .begin(isEndless: true)), ("complete", .complete),
        ("bodyEnded", .bodyEnded),
        ("bodyBroke", .bodyBroke), ("truncated", .truncated),
        ("last", .last(mayReceiveMore: false)), ("last more", .last(mayReceiveMore: true)),
        ("drain", .drain), ("idle", .idle),
        ("timer hangUp HTTP/1.0", .timer(.hangUp, allowsInterim: false)),
        ("timer heartbeat HTTP/1.0", .timer(.heartbeat, allowsInterim: false)),
    ] + TimerKind.allCases.map { ("timer \($0)", .timer($0, allowsInterim: true)) }
