/** Closes a server without losing a request: drains it, stops accepting, and aborts what is left after the grace period. */
import type { Server } from 'node:net'
import type { Lifetime } from '../lifetime.ts'
import type { CloseOptions } from '../runningServer.ts'

/** A server that knows its connections, as that of node:http. */
export interface ClosableServer extends Server {
  /** Tells clients of HTTP/2 that the server closes. */
  announceClose?(): void
  closeAllConnections(): void
  /** Closes the connections that have no request in progress. */
  closeIdleConnections(): void
  /** Closes the connections that were accepted before a moment, by `performance.now()`, and have begun no request: they have sent nothing, or line ends. */
  closeSilentConnections(before: number): void
  /** Accepts no more connections, and leaves those open that there are. `onEnd` is called when the last of them is closed. */
  stopListening(onEnd: () => void): void
}

/**
 * Closes a server. It goes on as before for the time of `drain`: if each response ended its connection, each request of a proxy would need a
 * new one, and the system resets those that it has not handed over when the server stops listening. After that, responses say
 * `Connection: close`, and idle connections stay open for some time for a request that is on its way.
 *
 * @returns a promise that resolves when all connections are closed and the producers of streams have ended
 */
export async function closeNodeServer(
  server: ClosableServer,
  { drain, grace, settle }: Required<CloseOptions>,
  lifetime: Lifetime,
): Promise<void> {
  const start = Date.now()
  server.announceClose?.()
  await waitForReconnects(drain, server)
  await drainAcceptQueue(server)
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), Math.max(0, grace - (Date.now() - start)))
    const idleEnd = performance.now() + Math.min(drain, maxIdleTime)
    const closeUnused = (): void => {
      const now = performance.now()
      server.closeSilentConnections(now - reconnectWindow)
      if (now >= idleEnd) server.closeIdleConnections()
    }
    const unusedTimer = setInterval(closeUnused, unusedCheckInterval)
    lifetime.isListening = false
    server.stopListening(() => {
      clearTimeout(timer)
      clearInterval(unusedTimer)
      resolve()
    })
    closeUnused()
  })
  await lifetime.waitForStreams(settle)
}

/** How long idle connections stay open at most, in milliseconds, when the server does not listen any more. */
const maxIdleTime = 1_500

/**
 * How long after its last connection a client may come back, in milliseconds. A client whose connection is closed reconnects at once, if at
 * all. One that has connected for a request sends it within the same time.
 */
const reconnectWindow = 500
/** How often connections are looked for that are unused for that long, in milliseconds. */
const unusedCheckInterval = 100

/** Waits for a time in milliseconds, or until no client is left that could reconnect. */
const waitForReconnects = (time: number, server: ClosableServer): Promise<void> =>
  new Promise((resolve) => {
    const end = Date.now() + time
    let lastSeen = Number.NEGATIVE_INFINITY
    const check = (): void => {
      server.getConnections((_error, count) => {
        if (count > 0) lastSeen = Date.now()
        if (Date.now() >= end || Date.now() - lastSeen > reconnectWindow) resolve()
        else setTimeout(check, 20)
      })
    }
    check()
  })

/** A turn of the event loop of at most this many milliseconds, in which no connection arrived, shows that none waits to be accepted. */
const shortLoopTurn = 0.2
/** How long to look for such a turn, in milliseconds. Under constant load there may be none. */
const maxAcceptWait = 1_000

/** Resolves when the operating system holds no connection that this process has not accepted: closing the server would reset it. */
const drainAcceptQueue = (server: ClosableServer): Promise<void> =>
  new Promise((resolve) => {
    const end = performance.now() + maxAcceptWait
    let turnStart = performance.now()
    let hasAccepted = true
    const onConnection = (): void => {
      hasAccepted = true
    }
    server.on('connection', onConnection)
    const check = (): void => {
      const now = performance.now()
      if ((!hasAccepted && now - turnStart <= shortLoopTurn) || now >= end) {
        server.off('connection', onConnection)
        resolve()
        return
      }
      hasAccepted = false
      turnStart = now
      setImmediate(check)
    }
    // The rest of the current turn may be past the phase that accepts connections.
    setImmediate(check)
  })
