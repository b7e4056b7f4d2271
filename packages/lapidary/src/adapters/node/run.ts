/** `run(server, options)`: a process that serves. A signal closes it without losing a request, and its exit code says how it ended. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import { checkFunctions, describeKind, requireFunction } from '../../http/functions.ts'
import type { HttpHandler } from '../../http/httpHandler.ts'
import { requireTime, toTimerDelay } from '../../http/limits.ts'
import type { Awaitable } from '../../http/promises.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import * as operatorMessages from '../../messages/operatorMessages.ts'
import type { CloseOptions, RunningServer } from '../runningServer.ts'
import { listenOnNode } from './listen.ts'
import type { NodeListenOptions } from './listenOptions.ts'

/** What can be closed: the server that a `listen` returns, or an object of your own around several. */
export interface Closable {
  readonly close: (options: CloseOptions) => Promise<void>
}

/** Why a process closes: a signal of the operating system, an error that nothing has caught, or the `signal` of `run`. */
export interface CloseCause {
  readonly signal?: NodeJS.Signals
  readonly error?: unknown
  /** The reason of the `AbortSignal`; in a worker of `node:cluster`, also that its primary process is gone. */
  readonly reason?: unknown
}

/** `start`: it could not begin. `uncaught`: nothing has caught the error. `close`: it could not close in order, or in time. */
export type FailureMoment = 'start' | 'uncaught' | 'close'

type CloseFunction = () => unknown

/** How a process ends. A wait is a number of milliseconds from 0 to 2,147,483,647 (24.8 days); `Infinity` is no limit. */
export interface RunOptions extends CloseOptions {
  /**
   * Called when the servers have closed, one after the other: close a database here. A function that fails is reported, and the others are
   * called all the same. Together they may take `settle`.
   */
  readonly onClose?: CloseFunction | readonly CloseFunction[]
  /** Called when the process begins to close, for a line in a log. */
  readonly onClosing?: (cause: CloseCause) => void
  /**
   * Reports an error, and makes the exit code 1. The process waits for the promise that it may return. An error of `listen` has the name
   * `ListenError`, and its message is one sentence for the operator.
   *
   * @default writes that sentence, or the error with its stack, to standard error
   */
  readonly onFailure?: (error: unknown, moment: FailureMoment) => unknown
  /** Closes the process when it fires, as SIGTERM does. */
  readonly signal?: AbortSignal
}

/** Signals by which terminals and service managers end a process. */
const closeSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** A terminal sends SIGINT to npm and to the process that npm runs, and npm passes it on: two are one within this time, in milliseconds. */
const repeatTime = 200

const isAddressCall = (syscall: string | undefined): boolean => syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo'

/** Returns an error of `listen` as one sentence, and any other as it is. In a worker of `node:cluster` the primary process binds. */
function toOperatorError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const {
    code = '',
    syscall,
    hostname,
    address = hostname ?? '',
    port,
  } = error as NodeJS.ErrnoException & {
    readonly hostname?: string
    readonly address?: string
    readonly port?: number
  }
  // Node checks a port before it calls the system.
  if (code !== 'ERR_SOCKET_BAD_PORT' && !isAddressCall(syscall)) return error
  const isSocket = address.includes('/')
  const where = isSocket ? address : `${address}:${port ?? 0}`
  const messages: Readonly<Record<string, () => string>> = {
    EADDRINUSE: () => (isSocket ? operatorMessages.socketTaken(address) : operatorMessages.portTaken(port ?? 0, address)),
    EACCES: () => operatorMessages.addressForbidden(where),
    ERR_SOCKET_BAD_PORT: operatorMessages.portInvalid,
  }
  const message = messages[code]?.() ?? operatorMessages.addressUnavailable(where, code)
  return Object.assign(new Error(message, { cause: error }), { name: 'ListenError' })
}

/** The sentence of an error that the operator can solve, and the stack of any other. */
function writeFailure(error: unknown): void {
  if (error instanceof Error && error.name === 'ListenError') process.stderr.write(`${error.message}\n`)
  // biome-ignore lint/suspicious/noConsole: the default, which a production server replaces
  else console.error(error)
}

/** Checks the options, and fills in the times. @throws TypeError for what plain JavaScript can get wrong. */
function completeRunOptions(options: RunOptions) {
  const {
    grace = 10_000,
    drain = Math.min(1_500, grace),
    settle = 5_000,
    onClose = [],
    onClosing,
    onFailure = writeFailure,
    signal,
  } = options
  for (const [name, time] of Object.entries({ grace, drain, settle })) requireTime(`run(): ${name}`, time, 'wait')
  const closeFunctions = [onClose].flat()
  for (const [index, close] of closeFunctions.entries()) requireFunction(`run(): onClose[${index}]`, close)
  checkFunctions('run()', { onClosing, onFailure })
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new TypeError(adapterErrors.expectedAbortSignal('run(): signal'))
  return { drain, grace, settle, closeFunctions, onClosing, onFailure, signal }
}

let isRunning = false

/**
 * Resolves when all servers listen. From its call on, signals and uncaught errors close the process; it ends with `process.exit`.
 *
 * @throws TypeError for a time that is no wait, and in a process that runs already: each call would end what the other one has.
 */
async function runServers(start: () => readonly Awaitable<Closable>[], options: RunOptions): Promise<readonly Closable[]> {
  const { drain, grace, settle, closeFunctions, onClosing, onFailure, signal } = completeRunOptions(options)
  if (isRunning) throw new TypeError(adapterErrors.runCalledTwice())
  isRunning = true
  const started = Promise.allSettled(start())
  const { worker } = cluster
  let exitCode = 0
  let isClosing = false
  /** Of errors that nothing has caught. */
  const reports: Promise<void>[] = []

  const report = async (error: unknown, moment: FailureMoment): Promise<void> => {
    exitCode = 1
    try {
      await onFailure(toOperatorError(error), moment)
    } catch (failure) {
      // biome-ignore lint/suspicious/noConsole: the function that reports has failed
      console.error(failure, error)
    }
  }
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work()
    } catch (error) {
      await report(error, 'close')
    }
  }
  /** Ends the process when its time is over, even if a function of its options never ends. */
  const limitClosing = (): void => {
    const limit = toTimerDelay(grace + 2 * settle)
    setTimeout(() => {
      void report(new Error(operatorMessages.closedTooLate(limit)), 'close')
      process.exit(1)
    }, limit)
  }
  const closeAll = async (): Promise<never> => {
    const closables = (await started).flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    await Promise.all(closables.map((server) => attempt(() => server.close({ drain, grace, settle }))))
    for (const closeFunction of closeFunctions) await attempt(closeFunction)
    // Connections may be on their way to this worker. Until it is disconnected, Node passes them on to others.
    if (worker?.isConnected()) await attempt(() => once(worker.disconnect(), 'disconnect'))
    await Promise.all(reports)
    process.exit(exitCode)
  }
  const close = (cause: CloseCause): void => {
    if (isClosing) return
    isClosing = true
    limitClosing()
    void attempt(() => onClosing?.(cause)).then(closeAll)
  }

  let signaled = 0
  const closeBySignal = (name: NodeJS.Signals): void => {
    const since = Date.now() - signaled
    // A terminal sends a signal to a worker as well, besides the one by which its primary process closes it. That one forces an end.
    const isForced = signaled > 0 && worker?.isConnected() !== true
    if (isForced && (name !== 'SIGINT' || since > repeatTime)) process.exit(1)
    signaled = Date.now()
    close({ signal: name })
  }
  for (const name of closeSignals) process.on(name, closeBySignal)
  // Node passes it rejections that nothing handles, too.
  process.on('uncaughtException', (error) => {
    reports.push(report(error, 'uncaught'))
    close({ error })
  })
  if (worker !== undefined) {
    // Otherwise Node ends the process at once when the primary process is gone. It has requests to answer.
    worker.exitedAfterDisconnect = true
    worker.once('disconnect', () => close({ reason: 'the primary process is gone' }))
  }
  const closeByAbort = (): void => close({ reason: signal?.reason })
  if (signal?.aborted) closeByAbort()
  signal?.addEventListener('abort', closeByAbort)

  const results = await started
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (failures.length === 0) return results.map((result) => (result as PromiseFulfilledResult<Closable>).value) // none is rejected
  if (!isClosing) limitClosing()
  for (const error of failures) await report(error, 'start')
  if (!isClosing) {
    isClosing = true
    await closeAll()
  }
  return new Promise<never>(() => {})
}

/** What `run` returns of a list: each server, listening. */
type Started<T> = T extends readonly unknown[] ? { readonly [Index in keyof T]: Awaited<T[Index]> } : Awaited<T>

/**
 * Runs a process that serves.
 *
 * - SIGTERM, SIGINT, SIGHUP and SIGQUIT close the servers without losing a request, as their `close` does, then call `onClose`, and end the
 *   process with the code 0. A second signal ends it at once, with the code 1.
 * - An error that nothing has caught, or a rejection that nothing handles, is reported, and closes the process in the same way, with the
 *   code 1.
 * - An address that a server cannot have (`EADDRINUSE`, `EACCES`) is one sentence in standard error. What has started closes, and the code is 1.
 * - It ends after `grace` and twice `settle` at the latest: then with the code 1.
 *
 * In a worker of `node:cluster` it also closes when the primary process disconnects it or is gone, and a second signal has no effect as long
 * as there is a primary process.
 *
 * @param server a handler, which then listens on node:http by the options of `listen`; or what a `listen` returns, of any adapter: a server,
 * a promise of one, or a list of them
 * @returns a promise of the running server, or of the list of them. It never resolves where one cannot listen.
 * @throws TypeError for what is neither, for times that are no waits, and where the process runs already: give one call all servers.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { run } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * const { url } = await run(server, { port: 8081, grace: 10_000, onClose: () => console.log('closed') })
 * console.log(`Listening on ${url}`)
 * ```
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { listen, run } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const shop = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * const admin = serve({ users: endpoint('GET /users', { response: ok(text) }) }, { users: () => 'Ann' })
 * await run([listen(shop, { port: 8081 }), listen(admin, { port: 9081 })], { grace: 10_000 })
 * ```
 */
export function run(server: HttpHandler, options?: RunOptions & NodeListenOptions): Promise<RunningServer>
export function run<const T extends Awaitable<Closable> | readonly Awaitable<Closable>[]>(
  server: T,
  options?: RunOptions,
): Promise<Started<T>>
export async function run(
  server: HttpHandler | Awaitable<Closable> | readonly Awaitable<Closable>[],
  options: RunOptions & NodeListenOptions = {},
): Promise<unknown> {
  if (typeof server === 'function') {
    const { drain, grace, settle, onClose, onClosing, onFailure, signal, ...listenOptions } = options
    const [running] = await runServers(() => [listenOnNode(server, listenOptions)], options)
    return running
  }
  const servers: readonly Awaitable<Closable>[] = Array.isArray(server) ? server : [server]
  for (const one of servers)
    if (typeof one !== 'object' || one === null) throw new TypeError(adapterErrors.invalidRunTarget(describeKind(one)))
  const running = await runServers(() => servers, options)
  return Array.isArray(server) ? running : running[0]
}
