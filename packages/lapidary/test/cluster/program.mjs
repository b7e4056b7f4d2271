/** A cluster for `cluster.test.ts`. Its options are the JSON of its first argument; it prints what happens as lines of JSON. */
import cluster from 'node:cluster'
import { endpoint, ok, text } from 'lapidary'
import { runWorker, startCluster } from 'lapidary/cluster'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'

const { workers = 2, port, ports, grace, failing, closing, silent } = JSON.parse(process.argv[2] ?? '{}')
const print = (/** @type {object} */ line) => process.stdout.write(`${JSON.stringify(line)}\n`)

const api = {
  pid: endpoint('GET /pid', { response: ok(text) }),
  slow: endpoint('GET /slow', { response: ok(text) }),
  throw: endpoint('GET /throw', { response: ok(text) }),
}
const server = serve(api, {
  pid: () => `${process.pid}`,
  slow: () => new Promise((resolve) => setTimeout(resolve, 500, 'slow')),
  throw: () => {
    setTimeout(() => {
      throw new Error('a late fault')
    })
    return 'soon'
  },
})

if (cluster.isPrimary) {
  try {
    const running = await startCluster({
      workers,
      ...(ports && { ports }),
      ...(grace && { grace }),
      ...(silent ? {} : { onEvent: ({ error, ...event }) => print({ ...event, ...(error && { error: error.message }) }) }),
    })
    process.on('SIGTERM', () =>
      running.close().then(
        () => print({ type: 'closed' }),
        ({ message }) => print({ type: 'closed', message }),
      ),
    )
    process.on('SIGUSR2', () =>
      running.reports().then(
        (reports) => print({ type: 'reports', reports }),
        ({ name, message }) => print({ type: 'reports', name, message }),
      ),
    )
    // The application has messages of its own.
    cluster.on('message', (_worker, message) => message?.own && print(message))
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send('a text')
    // After the listeners of signals: a test sends one as soon as it has read this.
    print({ type: 'ready', addresses: running.addresses })
  } catch (error) {
    const { name, message, cause, code } = /** @type {NodeJS.ErrnoException} */ (error)
    print({ type: 'failed', name, message, code, cause: cause instanceof Error ? [cause.name, cause.message, typeof cause.stack] : cause })
  }
} else {
  process.on('message', (message) => message === 'a text' && process.send?.({ own: process.pid }))
  if (failing === 'before') throw new Error('planted before')
  await runWorker(async (context) => {
    if (failing === 'start') throw new RangeError('planted in start')
    const running = await listen(server, { port: context.ports['http'] ?? port })
    return {
      close: async (options) => {
        if (closing === 'never') await new Promise(() => {})
        if (closing === 'sends') process.send?.({ own: process.pid, type: 'close', options })
        if (closing === 'throws') throw new Error('planted in close')
        await running.close(options)
      },
      report: () => {
        if (failing === 'report') throw new TypeError('planted in report')
        return { pid: process.pid, grace: context.grace }
      },
    }
  })
}
