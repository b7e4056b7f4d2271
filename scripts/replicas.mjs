// Runs three replicas of the service on one PostgreSQL behind nginx, on this machine. `--demo` kills a replica under load and shows the cost.
import { parseArgs } from 'node:util'
import { startLoad } from './load.mjs'
import { program, startNginx } from './nginx.mjs'
import { startPostgres } from './postgres.mjs'
import { createReplica } from './replica.mjs'

const number = 3
const clients = 12
const log = (text = '') => process.stdout.write(`${text}\n`)

/** The requests of the demonstration, in turn. */
const requests = [
  { target: '/hello?name=Ann' },
  { target: '/colors', headers: { Range: 'name; limit 20' } },
  { target: '/users' },
  { target: '/colors', headers: { Range: 'rgb; limit 100; order desc' } },
  { target: '/users/2' },
  { method: 'DELETE', target: '/products/404' },
]

/** Columns as wide as their widest cell; all but the first one to the right. */
function formatTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  const padded = (row) => row.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column])))
  return rows.map((row) => padded(row).join('  ')).join('\n')
}

/** The value below which this share of them lies. */
function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const hasFailed = ({ status, error }) => error !== undefined || status >= 500

/** Sends requests for three times four seconds, and kills the first replica after the first four. */
async function demonstrate(replicas, front) {
  const seconds = 4
  const waitForPhase = () => new Promise((done) => setTimeout(done, seconds * 1000))
  const [first] = replicas
  log(`\n${clients} clients for ${3 * seconds} s; ${first.urls.main} is killed after ${seconds} s and started again at once …`)
  const running = startLoad(front.urls.main, clients, (turn) => requests[turn % requests.length])
  // The first requests find cold caches, and are not counted.
  await running.more(500)
  const phases = []
  const runPhase = async (name, meanwhile) => {
    const from = performance.now()
    await Promise.all([waitForPhase(), meanwhile?.()])
    phases.push({ name, from, to: performance.now() })
  }
  await runPhase('before')
  await runPhase('during', async () => {
    await first.end('SIGKILL')
    await first.start()
  })
  await runPhase('after')
  const outcomes = await running.stop()

  const lines = front.log()
  const rows = phases.map(({ name, from, to }) => {
    const mine = outcomes.filter(({ at }) => at >= from && at < to)
    const times = mine.map(({ milliseconds }) => milliseconds)
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
    return [
      name,
      mine.length,
      mine.filter(hasFailed).length,
      `${half.toFixed(1)} ms`,
      `${most.toFixed(1)} ms`,
      `${Math.max(...times).toFixed(0)} ms`,
    ]
  })
  log(`\n${formatTable([['', 'requests', 'failed', 'p50', 'p99', 'longest'], ...rows])}`)
  const shares = replicas.map(({ urls }, index) => {
    const mine = lines.filter(({ replicas: tried }) => tried.split(' : ').at(-1) === new URL(urls.main).host)
    return [`replica ${index + 1}`, mine.length, `${((100 * mine.length) / lines.length).toFixed(0)} %`]
  })
  log(`\n${formatTable([['', 'served', 'share'], ...shares])}`)
  const losses = outcomes.filter(hasFailed)
  const again = lines.filter(({ replicas: tried }) => tried.includes(' : ')).length
  log(`\n${again} of ${outcomes.length} requests were tried on a second replica, ${losses.length} failed.`)
  for (const { method, target, status, error } of losses.slice(0, 5)) log(`  ${method} ${target}: ${status ?? error}`)
  // Those that the killed replica had begun: one of each client at most. nginx does not send them again.
  return losses.length <= clients
}

/** The functions that end what has been started, the latest last. */
const endings = []

/** Starts everything; without nginx where it is missing. */
async function start() {
  log(`Starting PostgreSQL and ${number} replicas …`)
  const database = await startPostgres()
  endings.push(database.remove)
  const replicas = []
  endings.push(() => Promise.all(replicas.map((one) => one.remove('SIGTERM'))))
  for (let count = 0; count < number; count += 1) replicas.push(await createReplica(database.url()))
  await Promise.all(replicas.map((one) => one.start()))
  const logUrls = (name, { main, pagination, docs }) => log(`${name} main ${main}, pagination ${pagination}, docs ${docs}`)
  for (const [index, { urls }] of replicas.entries()) logUrls(`replica ${index + 1}:`, urls)
  if (program === undefined) {
    log('There is no nginx on this machine, so the replicas run without a proxy. (On Debian: apt-get install nginx)')
    return { replicas }
  }
  const front = await startNginx(replicas.map(({ urls }) => urls))
  endings.push(front.stop)
  logUrls('nginx:    ', front.urls)
  return { replicas, front }
}

const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
// The signal can arrive twice: from the keyboard and from npm.
const interruption = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, done)
})
try {
  const { replicas, front } = await start()
  if (!values.demo) {
    log('\nInterrupt (Ctrl-C) to end all of it.')
    await interruption
  } else if (front === undefined) {
    process.exitCode = 1
  } else {
    const demonstration = demonstrate(replicas, front)
    // An interrupt ends the servers that it needs.
    demonstration.catch(() => {})
    if ((await Promise.race([demonstration, interruption])) === false) process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  while (endings.length > 0) await endings.pop()()
}
process.exit()
