/** The READMEs are correct: their commands run, their code compiles, and the settings are those of the code. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseFences } from '../../scripts/test/support/fence.ts'
import { hasCurl, type Place, rerun } from '../../scripts/test/support/transcript.ts'
import { variableNames, variables } from '../src/settings.ts'
import { type Service, service } from './support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const toolkitReadme = `${root}/README.md`
const serviceReadme = `${root}/service/README.md`
/** `UPDATE_README=1 npx vitest run service/test/readme.test.ts` writes the current output and settings into the READMEs. */
const updating = process.env['UPDATE_README'] === '1'

/** The contents of the fenced blocks in one language. */
const blocks = (path: string, language: string): readonly string[] =>
  parseFences(readFileSync(path, 'utf8'))
    .filter((fence) => fence.language === language)
    .map(({ text }) => text)

describe.each([
  ['README.md', toolkitReadme, 1],
  ['service/README.md', serviceReadme, 6],
] as const)('%s', (_name, path, atLeast) => {
  let running: Service
  beforeAll(async () => {
    // A response contains the time-out of a connection.
    running = await service({ environment: { KEEP_ALIVE_TIMEOUT_MS: '5000' } })
  })
  afterAll(() => running.close())

  /** The commands name the ports of `npm start` and files of a clone. The service of a test listens and runs elsewhere. */
  const place = (): Place => ({
    folder: running.folder,
    moved: [
      ['npx lapidary', `LAPIDARY_BASE=${running.main} ${process.execPath} ${root}packages/cli/bin/lapidary.js`],
      ['service/dist/', `${root}service/dist/`],
      ['http://127.0.0.1:8081', running.main],
      ['http://127.0.0.1:1442', running.pagination],
    ],
  })

  test.runIf(hasCurl)('every command prints the output in the README', async () => {
    let updated = readFileSync(path, 'utf8')
    for (const block of blocks(path, 'console')) {
      const now = await rerun(block, place())
      if (updating) updated = updated.replace(block, () => now)
      else expect(now).toBe(block)
    }
    if (updating) writeFileSync(path, updated)
    expect(blocks(path, 'console').length).toBeGreaterThanOrEqual(atLeast)
  })
})

test('the table of settings equals that of the code', () => {
  const rows = variableNames.map(
    (name) => `| \`${name}\` | ${variables[name].preset ?? 'none'} | ${variables[name].meaning.replaceAll('|', '\\|')} |`,
  )
  const table = ['<!-- settings -->', '| variable | default | meaning |', '| --- | --- | --- |', ...rows, '<!-- /settings -->'].join('\n')
  const readme = readFileSync(serviceReadme, 'utf8')
  if (updating)
    writeFileSync(
      serviceReadme,
      readme.replace(/<!-- settings -->[\s\S]*<!-- \/settings -->/, () => table),
    )
  else expect(readme).toContain(table)
})

test('the code of the README equals that of the examples', () => {
  const examples = readdirSync(`${root}/examples`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .map((path) => readFileSync(`${root}/examples/${path}`, 'utf8'))
  const unknown = blocks(toolkitReadme, 'ts').filter((block) => !examples.some((example) => example.includes(block.trimEnd())))
  expect(unknown).toEqual([])
})
