// Clients that send requests without a pause, each over one connection, and record the result of each request.
import { Agent, request } from 'node:http'

/** Sends one request and reads its whole response. */
function sent(base, agent, { method = 'GET', target, headers = {}, body = '' }) {
  const at = performance.now()
  return new Promise((resolve) => {
    const tell = (fate) => resolve({ method, target, at, milliseconds: performance.now() - at, ...fate })
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const asking = request(`${base}${target}`, { agent, method, headers: { ...length, ...headers } }, (answer) => {
      answer.resume()
      answer.once('end', () => tell({ status: answer.statusCode, headers: answer.headers }))
      answer.once('error', (error) => tell({ error: error.message }))
    })
    asking.once('error', (error) => tell({ error: error.message }))
    asking.end(body)
  })
}

/**
 * Puts load on the server at `base` until `stop()`, which resolves to the result of each request. `next(number)` returns the next request.
 * `fates` has the results so far. `more(count)` resolves when as many more have arrived.
 */
export function load(base, clients, next) {
  const fates = []
  const waiting = new Set()
  let number = 0
  let stopped = false

  async function client() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopped) {
      fates.push(await sent(base, agent, next(number++)))
      for (const look of waiting) look()
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: clients }, client))

  return Object.freeze({
    fates,
    more: (count) =>
      new Promise((done) => {
        const wanted = fates.length + count
        const look = () => {
          if (fates.length < wanted) return
          waiting.delete(look)
          done()
        }
        waiting.add(look)
        look()
      }),
    stop: async () => {
      stopped = true
      await all
      return fates
    },
  })
}
