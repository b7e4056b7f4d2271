// Runs three replicas of the service on one PostgreSQL behind nginx, on this machine. `--demo` kills a replica under load and shows the cost.
import { parseArgs } from 'node:util'
import { load } from './load.mjs'
import { nginx, program } from './nginx.mjs'
import { postgres } from './postgres.mjs'
import { replica } from './replica.mjs'

const number = 3
const clients = 12
const say = (text = '') => process.stdout.write(`${text}\n`)

/** The requests of the demonstration, in turn. */
const asked = [
  { target: '/hello?name=Ann' },
  { target: '/colors', headers: { Range: 'name; limit 20' } },
  { target: '/users' },
  { target: '/colors', headers: { Range: 'rgb; limit 100; order desc' } },
  { target: '/users/2' },
  { method: 'DELETE', target: '/products/404' },
]

/** Columns as wide as their widest cell; all but the first one to the right. */
function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  const padded = (row) => row.map((cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column])))
  return rows.map((row) => padded(row).join('  ')).join('\n')
}

/** The value below which this share of them lies. */
function quantile(values, share) {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

const failed = ({ status, error }) => error !== undefined || status >= 500

/** Sends requests for three times four seconds, and kills the first replica after the first four. */
async function demonstrate(replicas, front) {
  const seconds = 4
  const passed = () => new Promise((done) => setTimeout(done, seconds * 1000))
  const [first] = replicas
  say(`\n${clients} clients for ${3 * seconds} s; ${first.urls.main} is killed after ${seconds} s and started again at once …`)
  const running = load(front.urls.main, clients, (turn) => asked[turn % asked.length])
  // The first requests find cold caches, and are not counted.
  await running.more(500)
  const phases = []
  const phase = async (name, meanwhile) => {
    const from = performance.now()
    await Promise.all([passed(), meanwhile?.()])
    phases.push({ name, from, to: performance.now() })
  }
  await phase('before')
  await phase('during', async () => {
    await first.end('SIGKILL')
    await first.start()
  })
  await phase('after')
  const fates = await running.stop()

  const lines = front.log()
  const rows = phases.map(({ name, from, to }) => {
    const mine = fates.filter(({ at }) => at >= from && at < to)
    const times = mine.map(({ milliseconds }) => milliseconds)
    const [half, most] = [quantile(times, 0.5), quantile(times, 0.99)]
    return [
      name,
      mine.length,
      mine.filter(failed).length,
      `${half.toFixed(1)} ms`,
      `${most.toFixed(1)} ms`,
      `${Math.max(...times).toFixed(0)} ms`,
    ]
  })
  say(`\n${table([['', 'requests', 'failed', 'p50', 'p99', 'longest'], ...rows])}`)
  const answered = replicas.map(({ urls }, index) => {
    const mine = lines.filter(({ replicas: tried }) => tried.split(' : ').at(-1) === new URL(urls.main).host)
    return [`replica ${index + 1}`, mine.length, `${((100 * mine.length) / lines.length).toFixed(0)} %`]
  })
  say(`\n${table([['', 'answered', 'share'], ...answered])}`)
  const losses = fates.filter(failed)
  const again = lines.filter(({ replicas: tried }) => tried.includes(' : ')).length
  say(`\n${again} of ${fates.length} requests were tried on a second replica, ${losses.length} failed.`)
  for (const { method, target, status, error } of losses.slice(0, 5)) say(`  ${method} ${target}: ${status ?? error}`)
  // Those that the killed replica had begun: one of each client at most. nginx does not send them again.
  return losses.length <= clients
}

/** The functions that end what has been started, the latest last. */
const endings = []

/** Starts everything; without nginx where it is missing. */
async function begin() {
  say(`Starting PostgreSQL and ${number} replicas …`)
  const database = await postgres()
  endings.push(database.remove)
  const replicas = []
  endings.push(() => Promise.all(replicas.map((one) => one.remove('SIGTERM'))))
  for (let count = 0; count < number; count += 1) replicas.push(await replica(database.url()))
  await Promise.all(replicas.map((one) => one.start()))
  const tell = (name, { main, pagination, docs }) => say(`${name} main ${main}, pagination ${pagination}, docs ${docs}`)
  for (const [index, { urls }] of replicas.entries()) tell(`replica ${index + 1}:`, urls)
  if (program === undefined) {
    say('There is no nginx on this machine, so the replicas run without a proxy. (On Debian: apt-get install nginx)')
    return { replicas }
  }
  const front = await nginx(replicas.map(({ urls }) => urls))
  endings.push(front.stop)
  tell('nginx:    ', front.urls)
  return { replicas, front }
}

const { values } = parseArgs({ options: { demo: { type: 'boolean', default: false } } })
// The signal can arrive twice: from the keyboard and from npm.
const interrupted = new Promise((done) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, done)
})
try {
  const { replicas, front } = await begin()
  if (!values.demo) {
    say('\nInterrupt (Ctrl-C) to end all of it.')
    await interrupted
  } else if (front === undefined) {
    process.exitCode = 1
  } else {
    const demonstration = demonstrate(replicas, front)
    // An interrupt ends the servers that it needs.
    demonstration.catch(() => {})
    if ((await Promise.race([demonstration, interrupted])) === false) process.exitCode = 1
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  while (endings.length > 0) await endings.pop()()
}
process.exit()
