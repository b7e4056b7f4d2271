/** Resolves when the server is closed, and the producers of its streams have ended; whoever calls it answers with `Connection: close` from now on. */
export async function closeNodeServer(server, { drain = 1_500, grace = 10_000, settle = 5_000 }, lifetime) {
  const begun = Date.now()
  await waitForReconnects(drain, server)
  await drainAcceptQueue(server)
  await new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), Math.max(0, grace - (Date.now() - begun)))
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
  await lifetime.waitForStreams(settle)
}
/** A client that was asked to go comes back at once, if it does; after this long without anybody there is nobody to wait for. In milliseconds. */
const reconnectWindow = 500
/** Waits, but no longer than there is somebody who could come back. */
const waitForReconnects = (time, server) =>
  new Promise((resolve) => {
    const end = Date.now() + time
    // Whoever was never there will not come back.
    let seen = Number.NEGATIVE_INFINITY
    const look = () => {
      server.getConnections((_error, count) => {
        if (count > 0) seen = Date.now()
        if (Date.now() >= end || Date.now() - seen > reconnectWindow) resolve()
        else setTimeout(look, 20)
      })
    }
    look()
  })
/** A turn of the event loop that is shorter than this, in milliseconds, and in which nobody came: then nobody waits to be accepted. */
const shortLoopTurn = 0.2
/** How long to look for such a turn at most, in milliseconds: where people come without a pause there may be none. */
const maxAcceptWait = 1_000
/** Resolves when nobody is left whom the kernel has let in and this process has not: closing would reset them. */
const drainAcceptQueue = (server) =>
  new Promise((resolve) => {
    const end = performance.now() + maxAcceptWait
    let begun = performance.now()
    let came = true
    const connection = () => {
      came = true
    }
    server.on('connection', connection)
    const look = () => {
      const now = performance.now()
      if ((!came && now - begun <= shortLoopTurn) || now >= end) {
        server.off('connection', connection)
        resolve()
        return
      }
      came = false
      begun = now
      setImmediate(look)
    }
    // What is left of this turn may be past the place where the loop lets somebody in.
    setImmediate(look)
  })
