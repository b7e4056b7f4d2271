/** The README is true: its commands are run word for word, and its code is code that is compiled. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fences } from '../../packages/lapidary/test/guides/fence.ts'
import { hasCurl, type Place, rerun } from '../../packages/lapidary/test/guides/transcript.ts'
import { type Service, service } from './service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = `${root}/README.md`
const readme = readFileSync(path, 'utf8')
/** `UPDATE_README=1 npx vitest run service/test/readme.test.ts` writes the answers of today into the README. */
const updating = process.env['UPDATE_README'] === '1'

/** The contents of the fenced blocks in one language. */
const blocks = (language: string): readonly string[] =>
  fences(readme)
    .filter((fence) => fence.language === language)
    .map(({ text }) => text)

let running: Service
beforeAll(async () => {
  // The time-out of a connection stands in an answer.
  running = await service({ environment: { KEEP_ALIVE_TIMEOUT_MS: '5000' } })
})
afterAll(() => running.close())

/** The commands name the ports of `npm start`, and files of a clone; the service of a test listens and runs elsewhere. */
const place = (): Place => ({
  folder: running.folder,
  moved: [
    ['npx lapidary', `LAPIDARY_BASE=${running.main} ${process.execPath} ${root}packages/cli/bin/lapidary.js`],
    ['service/dist/', `${root}service/dist/`],
    ['http://127.0.0.1:8081', running.main],
    ['http://127.0.0.1:1442', running.pagination],
  ],
})

test.runIf(hasCurl)('every command of the README prints what the README says', async () => {
  let updated = readme
  for (const block of blocks('console')) {
    const now = await rerun(block, place())
    if (updating) updated = updated.replace(block, () => now)
    else expect(now).toBe(block)
  }
  if (updating) writeFileSync(path, updated)
  expect(blocks('console').length).toBeGreaterThan(5)
})

test('the code of the README stands in the examples, word for word', () => {
  const files = readdirSync(`${root}/examples`).filter((name) => name.endsWith('.ts'))
  const examples = files.map((name) => readFileSync(`${root}/examples/${name}`, 'utf8'))
  const unknown = blocks('ts').filter((block) => !examples.some((example) => example.includes(block.trimEnd())))
  expect(unknown).toEqual([])
})

test('the examples run', async () => {
  const books = await import('../../examples/books.ts')
  expect(books.titles).toEqual(['Micrographia (added by ann)', 'no book: There is no book 99.'])
  expect(books.fed).toEqual(['Principia', 'Opticks', 'Micrographia (added by ann)'])
  expect(books.documentation).toContain('## GET /books/:id')
  expect(books.document).toMatchObject({ info: { title: 'Books' } })
  const { titles } = await import('../../examples/pages.ts')
  expect(await titles()).toEqual(['Principia', 'Opticks', 'Poems'])
})
