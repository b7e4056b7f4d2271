/** Serves the metrics at `GET /metrics`, on a port of their own. */
import { endpoint, mediaType, ok } from 'lapidary'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Logger } from 'pino'
import { addressError } from '../listen.ts'

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const prometheusText = mediaType<string>({ types: ['text/plain; version=0.0.4; charset=utf-8'], writer: () => (metrics) => metrics })

const metricsApi = {
  metrics: endpoint('GET /metrics', { response: ok(prometheusText), summary: 'The metrics, for Prometheus.' }),
}

/** Throws `SettingError` if the address is not available. */
export async function serveMetrics(metrics: () => Promise<string>, host: string, port: number, log: Logger): Promise<RunningServer> {
  const report = (err: unknown): void => log.error({ err }, 'the metrics cannot be read')
  try {
    return await listen(serve(metricsApi, { metrics }, { onError: report }), { host, port })
  } catch (error) {
    throw addressError(error, host, port)
  }
}
