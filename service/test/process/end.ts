/** SIGTERM under load, and the outcome of every request. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { users } from '../specification/known.ts'
import { send } from '../specification/send.ts'
import { download, folderWithLargeFile, largeFileSize, readToEnd } from '../support/download.ts'
import { type Process, serviceProcess } from '../support/service.ts'
import { type CallerRequest, caller } from './caller.ts'

export interface End {
  /** Requests that were answered whole, and those of them that had been sent after the signal. */
  readonly completed: number
  readonly late: number
  /** What became of the others. */
  readonly lost: readonly string[]
  /** Downloads that were under way, and how many of them came whole. */
  readonly streams: number
  readonly whole: number
  /** From the signal, in milliseconds. */
  readonly took: number
  readonly status: number | null
  /** The same for a service that gets the signal twice, and has a reader that does not read. */
  readonly forced: number
}

const grace = 10_000
/** Clients may come back for so long behind the signal, in milliseconds; the service drains a little longer. */
const draining = 1_200

async function started(workers: number): Promise<{ readonly service: Process; readonly base: string }> {
  const folder = folderWithLargeFile()
  const environment = {
    WORKERS: String(workers),
    PORT: '0',
    MAX_WAIT_MS: '60000',
    DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
  }
  const service = serviceProcess(['main'], { ...environment, SHUTDOWN_GRACE_MS: String(grace) }, folder)
  const base = await service.listening('main')
  if (workers > 1) await service.line(() => service.lines.filter(({ msg }) => msg === 'a worker listens').length === workers)
  await send(base, { line: 'GET /hello', headers: { Connection: 'close' } })
  return { service, base }
}

const text = 'x'.repeat(50_000)
/** What clients ask by turns, and the text of each answer. */
const requests: readonly (readonly [CallerRequest, string])[] = [
  [{ target: '/position/3/14' }, '{"xCoord":3,"yCoord":14}'],
  [{ method: 'POST', target: '/echo/text', headers: { 'Content-Type': 'text/plain' }, body: text }, text],
  [{ target: '/userStream' }, users.map((user) => `${JSON.stringify(user)}\n`).join('')],
]

/** Resolves when every process of the service has logged that it is closing. */
const closing = ({ line, lines }: Process, workers: number): Promise<unknown> =>
  line(() => lines.filter(({ msg }) => msg === 'closing').length === (workers === 1 ? 1 : workers + 1))

/** Ends it at once with a second signal; how long that takes, in milliseconds. */
async function forcedEnd(workers: number): Promise<number> {
  const { service, base } = await started(workers)
  await download(base)
  service.child.kill('SIGTERM')
  await closing(service, workers)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  await service.ended
  return performance.now() - begun
}

/** A body that is half sent when the signal comes, and sent whole afterwards. */
async function halfSent(base: string): Promise<{ readonly finished: () => Promise<string> }> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  let received = ''
  socket.on('data', (text: string) => {
    received += text
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
  return {
    finished: async () => {
      socket.write('-last')
      await closed
      return received
    },
  }
}

/** Twelve clients ask without a pause, others download and upload; the signal comes in the midst of it. */
export async function end(workers: number): Promise<End> {
  const { service, base } = await started(workers)
  const lost: string[] = []
  let [completed, late] = [0, 0]
  let signalled = Number.POSITIVE_INFINITY
  const client = async (_: unknown, number: number): Promise<void> => {
    const one = caller(base, number % 3 > 0, () => {})
    for (let turn = number; performance.now() < signalled + draining; turn += 1) {
      const [what, expected] = requests[turn % requests.length] as (typeof requests)[number] // one of them
      const begun = performance.now()
      const response = await one.send(what).catch((error: Error) => error)
      if (response instanceof Error) lost.push(`${what.target}: ${response.message}`)
      else if (response.status !== 200 || response.bytes.toString() !== expected)
        lost.push(`${what.target}: ${response.status}, ${response.bytes.length} bytes`)
      else completed += 1
      if (begun > signalled) late += 1
    }
    one.close()
  }
  const clients = Promise.all(Array.from({ length: 12 }, client))
  const downloads = await Promise.all(Array.from({ length: 2 * workers }, () => download(base)))
  const { finished } = await halfSent(base)
  // An answer on another connection says that those have been read by now.
  await send(base, { line: 'GET /hello', headers: { Connection: 'close' } })
  service.child.kill('SIGTERM')
  signalled = performance.now()
  await closing(service, workers)
  const [uploaded, ...ends] = await Promise.all([finished(), ...downloads.map(readToEnd)])
  if (!uploaded.endsWith('first-last')) lost.push(`a body that was half sent: ${uploaded}`)
  await clients
  const { status } = await service.ended
  const took = performance.now() - signalled
  return {
    completed,
    late,
    lost,
    streams: ends.length,
    whole: ends.filter(({ bytes, complete }) => complete && bytes === largeFileSize).length,
    took,
    status,
    forced: await forcedEnd(workers),
  }
}
