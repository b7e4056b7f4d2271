/** The command for colours: `npm run colors -- load --count N`, `load --file FILE`, `count`. */
import { constants } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { InvalidArgumentError, Option } from 'commander'
import type { Color } from './api/colors.ts'
import { generateColor, loadNamedColors, readColorFile } from './colorSources.ts'
import { CommandError, createProgram, printError, printLine } from './command.ts'
import { StoreUnavailable } from './store/errors.ts'
import type { Awaitable, Colors } from './store/store.ts'

const { program, withStore, run } = createProgram(
  'npm run colors --',
  'Colours in the database of the service: many at once, for trials or from a file of your own.',
  // No client waits, so that a write may take a minute.
  { connections: 1, timeout: 60_000 },
)

const maxColors = 100_000_000
/** The number of colours in one write, which is all or nothing. */
const writeSize = 2000
/** The pauses before each further attempt, in milliseconds. */
const retryPauses = [100, 300, 1000, 3000] as const

const formatNumber = (number: number): string => number.toLocaleString('en')
const formatCount = (number: number): string => `${formatNumber(number)} ${number === 1 ? 'colour' : 'colours'}`

/** Aborted by the name of a signal. */
const interruption = new AbortController()

/** The first signal lets the current step end. A second one finds no listener and ends the process at once. */
function handleSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interruption.abort(name))
}

/** Throws a `CommandError` with this message after a signal. */
async function checkInterruption(message: string): Promise<void> {
  // SQLite runs in this process. Signals are handled only between its calls.
  await setImmediate()
  const { aborted, reason } = interruption.signal
  // The exit code that shells use for a program that a signal has ended.
  if (aborted) throw new CommandError(message, 128 + constants.signals[reason as NodeJS.Signals])
}

/**
 * Repeats a step while it throws `StoreUnavailable`, until the pauses are used up or a signal arrives. The step must be safe to repeat,
 * because a write may have been done although its answer was lost.
 */
async function retry<Result>(step: () => Awaitable<Result>): Promise<Result> {
  for (const pause of retryPauses) {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      printError(`${error.message} Trying again …`)
      await setTimeout(pause, undefined, { signal: interruption.signal }).catch(() => {
        throw error
      })
    }
  }
  return step()
}

/** Prints each tenth of the way on standard error. */
function progressPrinter(start: number, total: number): (value: number) => void {
  const step = (total - start) / 10
  let next = start + step
  return (value) => {
    if (value < next || value >= total) return
    next = value + step
    printError(`Adding: ${formatNumber(value)} of ${formatCount(total)}`)
  }
}

/** Whether there is a colour of this name. */
async function hasColor(colors: Colors, name: string): Promise<boolean> {
  // Names contain no control character, so none is between a name and the name with one appended.
  const query = { field: 'name', order: 'desc', after: { value: `${name}\u0001` }, offset: 0, limit: 1 } as const
  const [found] = await retry(() => colors.page(query))
  return found?.name === name
}

/** Adds colours with new names until there are `count`: first those with real names, then generated ones. */
async function loadCount(colors: Colors, count: number, onlyGenerated: boolean): Promise<void> {
  handleSignals()
  const start = performance.now()
  const named = onlyGenerated ? [] : await loadNamedColors()
  const colorAt = (place: number): Color => named[place] ?? generateColor(place - named.length)
  const before = await retry(colors.count)
  if (before >= count) return printLine(`Nothing to add: there are ${formatCount(before)} already.`)
  const printProgress = progressPrinter(before, count)
  let now = before
  for (let place = 0; now < count; place += writeSize) {
    // A batch is written in order, so that its last colour shows that an earlier run has written it.
    const isWritten = await hasColor(colors, colorAt(place + writeSize - 1).name)
    const batch = isWritten ? [] : Array.from({ length: writeSize }, (_, index) => colorAt(place + index))
    while (batch.length > 0 && now < count) {
      const part = batch.splice(0, count - now)
      await retry(() => colors.add(part))
      // Counted anew, because an answer may be lost, and other writers may add colours.
      now = await retry(colors.count)
      printProgress(now)
    }
    if (now < count)
      await checkInterruption(`Interrupted: there are ${formatNumber(now)} of ${formatCount(count)}. The same command goes on from here.`)
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  printLine(`Added ${formatCount(now - before)} in ${seconds} s; there are ${formatNumber(now)} now.`)
}

/** Adds the colours of a file with new names. Nothing is added if one of them is invalid. */
async function loadFile(colors: Colors, file: string): Promise<void> {
  const all = await readColorFile(file)
  handleSignals()
  const printProgress = progressPrinter(0, all.length)
  let added = 0
  for (let done = 0; done < all.length; done += writeSize) {
    await checkInterruption(`Interrupted: added ${formatNumber(done)} of ${formatCount(all.length)}. The same command adds the rest.`)
    printProgress(done)
    added += await retry(() => colors.add(all.slice(done, done + writeSize)))
  }
  const known = all.length - added
  printLine(`Added ${formatCount(added)}, ${formatNumber(known)} ${known === 1 ? 'was' : 'were'} there already.`)
}

interface LoadOptions {
  readonly count?: number
  readonly file?: string
  readonly generated?: boolean
}

async function load({ count, file, generated = false }: LoadOptions): Promise<void> {
  try {
    if (count !== undefined) await withStore(({ colors }) => loadCount(colors, count, generated))
    else if (file !== undefined) await withStore(({ colors }) => loadFile(colors, file))
    else throw new CommandError('error: what to load is missing: --count <n> or --file <file>')
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new CommandError(`${error.message} What was added stays; the same command goes on from there.`)
  }
}

function parseCount(text: string): number {
  const count = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(count <= maxColors)) throw new InvalidArgumentError(`Expected a whole number from 0 to ${maxColors}.`)
  return count
}

program
  .command('load')
  .description('adds colours whose names are not taken yet; interrupted, the same command goes on from there')
  .addOption(
    new Option('--count <n>', 'so many colours there are to be in the end: real names first, then generated ones').argParser(parseCount),
  )
  .addOption(
    new Option('--file <file>', 'an array of { "name", "rgb" } in JSON or, named .ndjson, one such object a line').conflicts('count'),
  )
  .addOption(new Option('--generated', 'with --count: generated names alone').conflicts('file'))
  .action(load)
program
  .command('count')
  .description('prints how many there are')
  .action(() => withStore(async ({ colors }) => printLine(String(await colors.count()))))

await run()
