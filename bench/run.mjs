/**
 * Measures: `npm run bench` the servers in `servers/` against each other, `npm run bench -- PROGRAM` something else. Each program is a file of
 * that name, which says at its head what it does.
 */
import { install } from './install.mjs'
import { stop } from './say.mjs'

const programs = [
  'throughput',
  'check',
  'parts',
  'compare',
  'types',
  'footprint',
  'ranges',
  'overload',
  'authentication',
  'page',
  'readers',
]

const [, , first = ''] = process.argv
const isNamed = !first.startsWith('-') && first !== ''
const program = isNamed ? first : 'throughput'
if (!programs.includes(program)) stop(`${program}: expected one of ${programs.join(', ')}, or options alone`)
try {
  install()
  const { run } = await import(`./${program}.mjs`)
  await run(process.argv.slice(isNamed ? 3 : 2))
} catch (failure) {
  stop(failure instanceof Error ? (failure.stack ?? failure.message) : String(failure))
}
