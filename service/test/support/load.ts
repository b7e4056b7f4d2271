/** Clients that send requests without a pause, and the outcome of each request. */
import { Agent, request } from 'node:http'

/** The outcome of one request. */
export interface RequestOutcome {
  /** The status, or why there is none. `refused`: no connection. `lost`: the connection ended first. `silent`: no response within the timeout. */
  readonly outcome: number | 'refused' | 'lost' | 'silent'
  readonly target: string
  /** The target of the request before it on the same connection. */
  readonly before: string | undefined
  /** Whether the response has `Connection: close`. */
  readonly last: boolean
  /** When it was sent, in milliseconds. */
  readonly at: number
}

/** No response takes this long in milliseconds, even on a busy machine. */
const responseTimeout = 15_000

/** Sends one request. `before` receives its socket, and returns the target of the request before it. */
export function attempt(
  base: string,
  target: string,
  agent: Agent,
  before: (socket: object) => string | undefined = () => undefined,
): Promise<RequestOutcome> {
  return new Promise((resolve) => {
    const at = performance.now()
    let earlier: string | undefined
    const end = (outcome: RequestOutcome['outcome'], last: boolean): void => resolve({ outcome, target, before: earlier, last, at })
    const sending = request(`${base}${target}`, { agent, timeout: responseTimeout }, (response) => {
      response.resume()
      response.once('end', () => end(response.statusCode ?? 0, response.headers.connection === 'close'))
      response.once('error', () => end('lost', true))
    })
    sending.once('socket', (socket) => {
      earlier = before(socket)
    })
    sending.once('timeout', () => {
      end('silent', true)
      sending.destroy()
    })
    sending.once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ECONNREFUSED' ? 'refused' : 'lost', true))
    sending.end()
  })
}

/** Parallel clients, each with its own keep-alive connection, send requests until `enough`, which receives each outcome and the number so far. */
export async function applyLoad(
  base: string,
  clients: number,
  enough: (outcome: RequestOutcome, count: number) => boolean,
): Promise<readonly RequestOutcome[]> {
  const outcomes: RequestOutcome[] = []
  const client = async (_: unknown, number: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const latest = new WeakMap<object, string>()
    for (let count = 0; ; count += 1) {
      const target = `/position/${number}/${count}`
      const outcome = await attempt(base, target, agent, (socket) => {
        const before = latest.get(socket)
        latest.set(socket, target)
        return before
      })
      outcomes.push(outcome)
      if (enough(outcome, outcomes.length)) break
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: clients }, client))
  return outcomes
}
