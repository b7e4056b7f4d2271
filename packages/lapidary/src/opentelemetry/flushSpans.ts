/** `flushSpans()`: exports the last spans before a process ends. */
import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import { requireTime } from '../http/limits.ts'

/** How long to wait for the exporter. */
export interface FlushOptions {
  /** A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no limit. @default 500 */
  readonly timeout?: number
}

/** The API of OpenTelemetry has no flush, but the providers of its SDKs do. */
const hasFlush = (provider: object): provider is { readonly forceFlush: () => Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function'

/**
 * Exports the spans that have ended and that the SDK still keeps. Call it when the server has closed. Without an SDK it does nothing.
 *
 * @returns a promise that rejects if the spans are lost: with the error of the exporter, or when the timeout is over; and with a TypeError
 * for a `timeout` that is no time limit.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { listen } from 'lapidary/node'
 * import { flushSpans, tracing } from 'lapidary/opentelemetry'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [tracing()] })
 * const running = await listen(server, { port: 8081 })
 * process.once('SIGTERM', async () => {
 *   await running.close()
 *   await flushSpans().catch((error) => console.warn('The last spans are lost.', error))
 * })
 * ```
 */
export async function flushSpans({ timeout = 500 }: FlushOptions = {}): Promise<void> {
  requireTime('flushSpans(): timeout', timeout, 'limit')
  const registered = trace.getTracerProvider()
  const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered
  if (!hasFlush(provider)) return
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_resolve, reject) => {
    if (timeout === Number.POSITIVE_INFINITY) return
    timer = setTimeout(() => reject(new Error(`The span exporter has not finished within ${timeout} ms.`)), timeout)
  })
  // An SDK rejects with an error or with a list of them.
  const flushed = provider.forceFlush().catch((reason: unknown) => {
    throw new Error(`The span exporter has failed: ${String(reason)}`, { cause: reason })
  })
  try {
    await Promise.race([flushed, expired])
  } finally {
    clearTimeout(timer)
  }
}
