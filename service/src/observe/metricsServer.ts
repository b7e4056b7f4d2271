/** Where Prometheus reads the metrics: `GET /metrics` on a port of its own, apart from the public ones. */
import { endpoint, mediaType, ok } from 'lapidary'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Logger } from 'pino'
import { refusedAddress } from '../refusedAddress.ts'

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const text = mediaType<string>({ types: ['text/plain; version=0.0.4; charset=utf-8'], writer: () => (metrics) => metrics })

const api = {
  metrics: endpoint('GET /metrics', { response: ok(text), summary: 'The metrics, for Prometheus.' }),
}

/** @throws BadSetting where the machine does not let us have the address. */
export async function metricsServer(metrics: () => Promise<string>, host: string, port: number, log: Logger): Promise<RunningServer> {
  const report = (err: unknown): void => log.error({ err }, 'the metrics cannot be told')
  try {
    return await listen(serve(api, { metrics }, { onError: report }), { host, port })
  } catch (error) {
    throw refusedAddress(error, host, port)
  }
}
