/** Clients that ask without a pause, and what becomes of each of their requests. */
import { Agent, request } from 'node:http'

/** What became of one request. */
export interface RequestOutcome {
  /** Its status; `refused` where no connection was made, `lost` where the connection ended before the answer, `silent` where nothing came at all. */
  readonly outcome: number | 'refused' | 'lost' | 'silent'
  readonly target: string
  /** The target of the request before it on the same connection. */
  readonly before: string | undefined
  /** Whether the answer asked the client to go. */
  readonly last: boolean
  /** When it was sent, in milliseconds. */
  readonly at: number
}

/** Nothing takes so long, not even on a busy machine. In milliseconds. */
const patience = 15_000

function ask(base: string, target: string, agent: Agent, before: (socket: object) => string | undefined): Promise<RequestOutcome> {
  return new Promise((resolve) => {
    const at = performance.now()
    let earlier: string | undefined
    const end = (outcome: RequestOutcome['outcome'], last: boolean): void => resolve({ outcome, target, before: earlier, last, at })
    const asked = request(`${base}${target}`, { agent, timeout: patience }, (response) => {
      response.resume()
      response.once('end', () => end(response.statusCode ?? 0, response.headers.connection === 'close'))
      response.once('error', () => end('lost', true))
    })
    asked.once('socket', (socket) => {
      earlier = before(socket)
    })
    asked.once('timeout', () => {
      end('silent', true)
      asked.destroy()
    })
    asked.once('error', ({ code }: NodeJS.ErrnoException) => end(code === 'ECONNREFUSED' ? 'refused' : 'lost', true))
    asked.end()
  })
}

/** This many clients, each on a connection of its own that it keeps, ask until `enough`; it is shown each outcome, and how many there are by now. */
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
      const outcome = await ask(base, target, agent, (socket) => {
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
