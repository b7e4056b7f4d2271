/** Spans reach their backend before the process ends, where somebody has registered an SDK of OpenTelemetry. */
import { setTimeout as passed } from 'node:timers/promises'
import { ProxyTracerProvider, trace } from '@opentelemetry/api'
import type { Logger } from 'pino'

/** For how long a process that closes waits for a backend, in milliseconds: less than what it has left when its grace is over. */
const longest = 500

/** OpenTelemetry's API knows of no end; the providers of SDKs have this one. */
const hasFlush = (provider: object): provider is { readonly forceFlush: () => Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function'

/** Resolves when the spans that have ended are exported, or cannot be. */
export async function exported(log: Logger): Promise<void> {
  const registered = trace.getTracerProvider()
  const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered
  if (!hasFlush(provider)) return
  const flushed = provider.forceFlush().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const late = new Error(`Whoever gets the spans has not answered within ${longest} ms.`)
  const err = await Promise.race([flushed, passed(longest, late, { ref: false })])
  if (err !== undefined) log.warn({ err }, 'the last spans are lost')
}
