/** The guides are true: the code of every page compiles and runs, has the documented output, and so have its commands. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listEntrySources, listPublishedFolders } from '../workspaces.mjs'
import { type ExampleRunner, startExampleRunner } from './support/exampleRunner.ts'
import type { Fence } from './support/fence.ts'
import {
  isProgram,
  isRendered,
  isSource,
  isSpawned,
  isTestFile,
  isTranscript,
  parsePage,
  readExpectedOutput,
  updateOutput,
} from './support/page.ts'
import { hasCurl, quoteOutput, rerun } from './support/transcript.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const readText = (path: string): string => readFileSync(join(root, path), 'utf8')
/** `UPDATE_GUIDES=1 npx vitest run scripts/test/guides.test.ts` writes into the guides what their code and commands print today. */
const isUpdating = process.env['UPDATE_GUIDES'] === '1'

const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => join('docs', path))
  .sort()
  .map((path) => parsePage(path, readText(path)))
/** Git ignores the reference; `reference.test.ts` tests it. */
const guides = pages.filter(({ path }) => !path.startsWith(join('docs', 'reference')))
/** What an assistant reads of the package. */
const skill = parsePage('packages/lapidary/SKILL.md', readText('packages/lapidary/SKILL.md'))
const programs = [...guides, skill].filter(({ steps }) => steps.length > 0)

let runner: ExampleRunner
beforeAll(async () => {
  runner = await startExampleRunner(programs)
})
afterAll(() => runner.close())

test('all code of the guides compiles', () => {
  expect(runner.compilerErrors).toEqual([])
})

test.for(programs)(
  'what $path says is so',
  // Commands that load TypeScript take a while where much else is going on.
  { timeout: 60_000 },
  async (guide, { skip }) => {
    let updated = guide.text
    for (const step of guide.steps) {
      if (isSource(step)) {
        if (isSpawned(guide, step) || isTestFile(step)) continue
        const { output, failure } = await runner.run(guide, step)
        expect(failure).toBe('')
        if (!isUpdating) expect(output).toEqual(readExpectedOutput(step))
        else
          updateOutput(step, output).forEach((text, index) => {
            updated = updated.replace(step.blocks[index]?.text ?? '', () => text)
          })
      } else {
        // What stands behind a command may be about what it did.
        skip(!hasCurl, 'There is no curl on this machine: from its first command on, the page is not tried.')
        const place = runner.placeOf(guide)
        const now = isRendered(step) ? await quoteOutput(step.info, place) : await rerun(step.text, place)
        if (!isUpdating) expect(now).toBe(step.text)
        else {
          const head = isRendered(step) ? `<!-- $ ${step.info} -->\n` : ''
          updated = updated.replace(head + step.text, () => head + now)
        }
      }
    }
    if (isUpdating) writeFileSync(join(root, guide.path), updated)
  },
)

test('the tests in SKILL.md pass, and all of its code is run', async () => {
  expect(skill.fences.filter((fence) => !isProgram(fence)).map(({ language }) => language)).toEqual(['sh', 'json'])
  const { stdout } = await promisify(execFile)(process.execPath, ['--test', runner.placeOf(skill).folder])
  expect(stdout).toMatch(/^# pass 2$/m)
  expect(stdout).toMatch(/^# fail 0$/m)
})

/** Code of other libraries, to be compared with ours. */
const foreign: Readonly<Record<string, readonly string[]>> = {
  'docs/moving/from-servant.md': ['haskell', 'haskell'],
  'docs/moving/from-ts-rest.md': ['ts foreign', 'ts foreign'],
}

/** Behind its language, an excerpt has the path of the file that it is from. */
const isExcerpt = ({ info, text }: Fence): boolean => existsSync(join(root, info)) && info !== '' && readText(info).includes(text)

test('a block is run, or stands word for word in the file that it names, or is known to be somebody else’s', () => {
  const others = guides.flatMap(({ path, fences }) => {
    const rest = fences.filter((fence) => !isProgram(fence) && !isTranscript(fence) && !isExcerpt(fence))
    return rest.length === 0 ? [] : [[path, rest.map(({ language, info }) => `${language} ${info}`.trim())]]
  })
  expect(Object.fromEntries(others)).toEqual(foreign)
})

/** The apps of other frameworks, which `npm run conformance -- --only moving` runs. `server.ts` only starts them. */
const movingFrom = readdirSync(join(root, 'examples/moving'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name)

test.for(movingFrom)('the guide about moving from %s shows its whole app, and ours has the same data', (name) => {
  const { fences = [] } = guides.find(({ path }) => path === join('docs', 'moving', `from-${name}.md`)) ?? {}
  const files = readdirSync(join(root, 'examples/moving', name)).filter((file) => file !== 'server.ts')
  const shown = fences.filter(({ info }) => info !== '').map(({ info, text }) => [info, text])
  const expected = files.map((file) => `examples/moving/${name}/${file}`).map((path) => [path, readText(path)])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(expected))
  expect(fences.map(({ text }) => text)).toContain(`// stones.ts\n${readText('examples/moving/stones.ts')}`)
})

/** The names under which GitHub shows the headings of a page; of those that are alike, the later ones have a number. */
function listAnchors(path: string): readonly string[] {
  const plain = [...readText(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return plain.map((name, index) => {
    const before = plain.slice(0, index).filter((other) => other === name).length
    return before === 0 ? name : `${name}-${before}`
  })
}

test('every link leads somewhere', () => {
  const anchors = new Map<string, readonly string[]>()
  const isThere = (file: string, anchor: string | undefined): boolean => {
    if (!existsSync(join(root, file))) return false
    if (anchor === undefined) return true
    if (!anchors.has(file)) anchors.set(file, listAnchors(file))
    return anchors.get(file)?.includes(anchor) === true
  }
  const dead = pages.flatMap(({ path, text }) =>
    [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .filter(([, target = '', anchor]) => !isThere(target === '' ? path : join(dirname(path), target), anchor))
      .map(([link]) => `${path}: ${link}`),
  )
  expect(dead).toEqual([])
})

/** The public names of all packages. */
async function listPublicNames(): Promise<ReadonlySet<string>> {
  const paths = listPublishedFolders().flatMap(listEntrySources)
  const entries = paths.map((path): Promise<object> => import(pathToFileURL(join(root, path)).href))
  return new Set((await Promise.all(entries)).flatMap(Object.keys))
}

/** What a handler gets, and what a running server has. */
const membersOfOthers = ['fail', 'close']

test('what the pages about moving call is public, or in the code of the page', async () => {
  const names = await listPublicNames()
  const unknown = guides
    .filter(({ path }) => path.includes('moving'))
    .flatMap(({ path, text }) => {
      const code = [...text.matchAll(/^```[\s\S]*?^```/gm)].join('\n')
      // The first column has the names of the other library.
      const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/^\| (?:[^|\\]|\\.)*\|/gm, '')
      return [...prose.matchAll(/`([^`\n]+)`/g)]
        .flatMap(([, inline = '']) => [...inline.matchAll(/(?<![\w.'"$@/-])([A-Za-z]\w*)\(/g)])
        .flatMap(([, name = '']) =>
          names.has(name) || membersOfOthers.includes(name) || code.includes(name) ? [] : [`${path}: ${name}()`],
        )
    })
  expect(unknown).toEqual([])
})
