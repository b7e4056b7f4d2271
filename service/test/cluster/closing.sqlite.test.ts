/** A cluster whose start fails, and one that closes while a worker waits to be started. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOfTest, serviceProcess } from '../support/service.ts'
import { clusterProcess, gone, runs } from './clusterProcess.ts'

test('a picked port is released if the next port is in use: one line, exit code 1', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo // it listens, and not on a path
  const folder = folderOfTest()
  const environment = { WORKERS: '2', PORT: '0', PAGINATION_PORT: `${port}`, DATABASE_URL: `sqlite:${join(folder, 'service.db')}` }
  const { child, ended } = serviceProcess(['main', 'pagination'], environment, folder)
  // A process that holds on to a port never ends by itself.
  const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
  expect(await ended).toEqual({
    status: 1,
    signal: null,
    output: '',
    errors: `The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.\n`,
  })
  clearTimeout(late)
})

const hasProc = existsSync('/proc/self/task')

/** The processes that a process has started, and that still run. */
function children(pid: number): readonly number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // it has ended
  }
}

const at = ({ time }: Readonly<Record<string, unknown>>): number => Date.parse(String(time))

/** Closes a service whose next worker is to be started a while later; undefined where that was too late: on a busy machine it has begun by then. */
async function closedWhileWaiting() {
  const service = await clusterProcess({ environment: { LOG_LEVEL: 'debug' } })
  let death = await service.line(({ msg }) => msg === 'a worker listens')
  // Each death in a row makes the next worker wait for longer: 0, 100, 200 and then 400 ms. One that lives for a while begins anew.
  for (let count = 0; count < 12 && death['next'] !== 400; count += 1) {
    const { pid } = await service.nth(count === 0 ? 1 : count + 2)
    process.kill(pid, 'SIGKILL')
    death = await service.death(pid)
  }
  const [stays = Number.NaN] = service.workers().filter(runs)
  // A client that stays lets the one that is left drain for longer than that.
  const { hostname, port } = new URL(service.base)
  const guest = connect(Number(port), hostname)
  onTestFinished(() => void guest.destroy())
  guest.on('error', () => {})
  const forked = new Set<number>()
  const look = (): void => children(service.pid).forEach((pid) => void forked.add(pid))
  // On a busy machine, the worker can have ended when the timer fires for the first time.
  look()
  service.child.kill('SIGTERM')
  const watch = setInterval(look, 5)
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  clearInterval(watch)
  await gone(service.workers())
  const lines = service.lines.filter(({ msg }) => msg === 'closing')
  const parent = lines.find(({ pid }) => pid === service.pid) ?? {}
  if (!(at(parent) < at(death) + Number(death['next']) - 50)) return undefined
  return { closing: lines.map(({ pid }) => pid).sort(), forked: [...forked], stays, pid: service.pid }
}

test('closing starts no replacement that still waits', async () => {
  let seen: Awaited<ReturnType<typeof closedWhileWaiting>>
  for (let tries = 0; tries < 5 && seen === undefined; tries += 1) seen = await closedWhileWaiting()
  expect(seen).toBeDefined()
  expect(seen?.closing).toEqual([seen?.pid, seen?.stays].sort())
  // The primary does not wait for one that is started all the same, and kills it at its end.
  if (hasProc) expect(seen?.forked).toEqual([seen?.stays])
}, 120_000)
