// Clients that send requests without a pause, each over one connection, and record the result of each request.
import { Agent, request } from 'node:http'

/** Sends one request and reads its whole response. */
function sendRequest(base, agent, { method = 'GET', target, headers = {}, body = '' }) {
  const at = performance.now()
  return new Promise((resolve) => {
    const finish = (outcome) => resolve({ method, target, at, milliseconds: performance.now() - at, ...outcome })
    const length = body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const clientRequest = request(`${base}${target}`, { agent, method, headers: { ...length, ...headers } }, (response) => {
      response.resume()
      response.once('end', () => finish({ status: response.statusCode, headers: response.headers }))
      response.once('error', (error) => finish({ error: error.message }))
    })
    clientRequest.once('error', (error) => finish({ error: error.message }))
    clientRequest.end(body)
  })
}

/**
 * Puts load on the server at `base` until `stop()`, which resolves to the result of each request. `next(number)` returns the next request.
 * `outcomes` has the results so far. `more(count)` resolves when as many more have arrived.
 */
export function startLoad(base, clients, next) {
  const outcomes = []
  const waiting = new Set()
  let number = 0
  let stopped = false

  async function client() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!stopped) {
      outcomes.push(await sendRequest(base, agent, next(number++)))
      for (const check of waiting) check()
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: clients }, client))

  return Object.freeze({
    outcomes,
    more: (count) =>
      new Promise((done) => {
        const total = outcomes.length + count
        const check = () => {
          if (outcomes.length < total) return
          waiting.delete(check)
          done()
        }
        waiting.add(check)
        check()
      }),
    stop: async () => {
      stopped = true
      await all
      return outcomes
    },
  })
}
