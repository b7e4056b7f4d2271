/** Where the programs of the pages are compiled, all in one run of the compiler, and run, those of the guides in one process. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '../../ports.mjs'
import { isSource, type Page, type Source, textOf } from './page.ts'
import { fromPlace, type Place, toPlace } from './transcript.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const tsc = join(root, 'node_modules/typescript/bin/tsc')
// Below the repository, so that `lapidary` and `zod` are found from there, and where git does not look.
const cache = join(root, 'node_modules/.cache')

/** What came of a module. */
export interface Outcome {
  /** A text for each `console.log`. */
  readonly output: readonly string[]
  /** What it threw; empty where all went well. */
  readonly failure: string
}

/** All pages, compiled. */
export interface ExampleRunner {
  /** The errors of the compiler, by the lines of the pages. */
  readonly compilerErrors: readonly string[]
  /** Where the transcripts of a page are run. */
  readonly placeOf: (page: Page) => Place
  /** Runs a module. One after the other; servers go on until `close`. */
  readonly run: (page: Page, source: Source) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/** As strict as this repository, and with the toolkit as a user has it: compiled. */
const options = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    rootDir: '.',
    // No paths to the sources: they would be compiled with the examples.
    paths: {},
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    isolatedDeclarations: false,
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  },
  include: ['**/*.ts'],
  exclude: [],
}

/** The command line, without npx, which would take longer to find it than it takes. */
const cli: Place['moved'][number] = ['npx lapidary', `${process.execPath} ${join(root, 'packages/cli/bin/lapidary.js')}`]

/** Files that a guide shows, and its commands name. */
const shownFiles: Place['moved'][number] = ['docs/pull-requests/', join(root, 'docs/pull-requests/')]

/** The guides have the ports 3000, 3001 and so on; here each of them is another one, that is free. */
async function createPlace(folder: string, { text }: Page): Promise<Place> {
  const usual = [...new Set(text.match(/\b30\d\d\b/g) ?? [])]
  return { folder, moved: [cli, shownFiles, ...(await Promise.all(usual.map(async (port) => [port, `${await findFreePort()}`] as const)))] }
}

const compile = (folder: string): Promise<string> =>
  // The exit code adds nothing to the text.
  new Promise((resolve) =>
    execFile(process.execPath, [tsc, '--project', folder, '--pretty', 'false'], { cwd: folder }, (_, text) => resolve(text)),
  )

/** The process that runs modules: takes the path of one, resolves to its records. */
function startRunner(folder: string): {
  readonly runModule: (path: string) => Promise<readonly string[]>
  readonly end: () => Promise<void>
} {
  const child = spawn(process.execPath, [join(root, 'scripts/guides.mjs')], {
    cwd: folder,
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: 'pipe',
  })
  const closed = once(child, 'close')
  let output = ''
  let errors = ''
  let onOutput = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    onOutput()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const earlyEnd = new Promise<never>((_, reject) =>
    closed.then(() => reject(new Error(`The programs of the guides ended early: ${errors}`))),
  )
  earlyEnd.catch(() => {})
  return {
    runModule: (path) => {
      output = ''
      child.stdin.write(`${path}\n`)
      const records = new Promise<readonly string[]>((resolve) => {
        onOutput = () => {
          const found = output.split('\u001e').slice(0, -1)
          if (found.at(-1) === '.\n') resolve(found)
        }
      })
      return Promise.race([records, earlyEnd])
    },
    end: async () => {
      child.kill('SIGKILL')
      await closed
    },
  }
}

const selectRecords = (sign: string, records: readonly string[]): readonly string[] =>
  records.filter((record) => record.startsWith(sign)).map((record) => record.slice(1))

/** Compiles the pages. The caller closes it. */
export async function startExampleRunner(pages: readonly Page[]): Promise<ExampleRunner> {
  mkdirSync(cache, { recursive: true })
  const scratch = mkdtempSync(join(cache, 'guides-'))
  writeFileSync(join(scratch, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(options))
  const places = new Map<Page, Place>()
  for (const page of pages) {
    const place = await createPlace(join(scratch, page.path.replace(/\.md$/, '')), page)
    places.set(page, place)
    // A page may have commands alone.
    mkdirSync(place.folder, { recursive: true })
    for (const source of page.steps.filter(isSource)) {
      const file = join(place.folder, source.name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, toPlace(textOf(source), place))
    }
  }
  const lines = (await compile(scratch)).split('\n').filter((line) => line !== '')
  // The guides share a process. A page elsewhere is a program of its own, which may call `run` of lapidary/node.
  const runners = new Map<string, ReturnType<typeof startRunner>>()
  const runnerOf = ({ path }: Page): ReturnType<typeof startRunner> => {
    const name = path.startsWith('docs/') ? 'docs' : path
    const runner = runners.get(name) ?? startRunner(scratch)
    runners.set(name, runner)
    return runner
  }
  // Each page has its place.
  const placeOf = (page: Page): Place => places.get(page) as Place
  return {
    // docs/tour/server.ts(12,3) is line 12 of the page as well.
    compilerErrors: lines.map((line) => line.replace(/^(docs\/[\w/-]+)\/[\w-]+\.ts\((\d+),\d+\)/, '$1.md:$2')),
    placeOf,
    run: async (page, { name }) => {
      const place = placeOf(page)
      const records = (await runnerOf(page).runModule(join(place.folder, name.replace(/\.ts$/, '.js')))).map((record) =>
        fromPlace(record, place),
      )
      return { output: selectRecords('>', records), failure: selectRecords('!', records).join('') }
    },
    close: async () => {
      await Promise.all([...runners.values()].map(({ end }) => end()))
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}
