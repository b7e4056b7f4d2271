/**
 * Runs a benchmark: `npm run bench` compares the servers in `servers/`, `npm run bench -- PROGRAM` runs another program, `--help` lists them.
 * Each program is a file of the same name.
 */
import { install } from './install.mjs'
import { stop } from './log.mjs'
import { formatTable } from './report.mjs'

const load = '[--quick] [--only hello,page] [--rounds 5] [--requests 20000] [--connections 50] [--results FOLDER]'

/** For each program, what it measures and its options. */
const programs = {
  throughput: ['CPU time a request of every server (the default program)', `[--servers bare,lapidary] ${load}`],
  check: ['whether the responses of every server are correct', '[--servers fastify,hono]'],
  parts: [
    'router, negotiation, query, decode, encode, tag and handler, each alone',
    '[--only router,query] [--rounds 15] [--results FOLDER]',
  ],
  compare: ['this tree against another commit', `COMMIT ${load}`],
  types: [
    'the work of the compiler for 100 and 500 endpoints',
    '[--only lapidary,hono] [--endpoints 100,500] [--rounds 5] [--results FOLDER]',
  ],
  footprint: ['cold start, memory, installed size', '[--servers bare,lapidary] [--rounds 9] [--requests 20000] [--results FOLDER]'],
  ranges: [
    'one page against the size of its collection',
    '[--quick] [--rows 1e2,1e3] [--only sqlite,postgres,memory] [--rounds 12] [--results FOLDER]',
  ],
  overload: ['more requests than the service can serve', '[--times 4] [--seconds 8] [--connections 1000] [--target /colors]'],
  events: ['10,000 open event streams: memory and CPU', '[--streams 10000] [--seconds 8] [--heartbeat 5000]'],
  compression: ['compressed lists and streams: CPU time and bytes, against Fastify and Hono', '[--rounds 5] [--requests 2000]'],
  authentication: ['the cost of authentication, a log and metrics', '[--rounds 9] [--requests 5000]'],
  middleware: ['the usual middleware of Lapidary, Fastify and Hono', '[--quick] [--rounds 5] [--requests 20000] [--results FOLDER]'],
  page: ['a page of 100 colours against its query alone', '[--rows 1000000] [--rounds 9] [--requests 2000]'],
  uploads: ['CPU time and memory of a form with a file of 1 GB', '[--megabytes 1000] [--results FOLDER]'],
  readers: ['whether every reader of input takes linear time', '[--only JSON,form] [--length 262144] [--results FOLDER]'],
}

const args = process.argv.slice(2)
const [first = ''] = args
const isNamed = !first.startsWith('-') && first !== ''
const program = isNamed ? first : 'throughput'
if (!Object.hasOwn(programs, program)) stop(`${program}: expected one of ${Object.keys(programs).join(', ')}, or only options`)
if (args.includes('--help')) {
  const listed = isNamed ? [program] : Object.keys(programs)
  process.stdout.write('npm run bench -- [PROGRAM] [OPTIONS]\n\n')
  process.stdout.write(formatTable([['program', 'measures', 'options'], ...listed.map((name) => [name, ...programs[name]])], 3))
} else {
  try {
    install()
    const { run } = await import(`./${program}.mjs`)
    await run(isNamed ? args.slice(1) : args)
  } catch (error) {
    stop(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
}
