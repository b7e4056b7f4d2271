/** The README is true: its commands are run word for word, and its code is code that is compiled. */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, service } from './service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const path = `${root}/README.md`
const readme = readFileSync(path, 'utf8')
/** `UPDATE_README=1 npx vitest run service/test/readme.test.ts` writes the answers of today into the README. */
const updating = process.env['UPDATE_README'] === '1'

/** The contents of the fenced blocks in one language. */
const blocks = (language: string): readonly string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)

/** A block's commands, each with what it prints. */
const steps = (block: string): readonly { readonly command: string; readonly printed: string }[] =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n')
      return { command: step.slice(0, end), printed: step.slice(end + 1) }
    })

let running: Service
beforeAll(async () => {
  running = await service()
})
afterAll(() => running.close())

/** The commands name the ports of `npm start`; the service of a test listens elsewhere. */
const ports = (): readonly (readonly [string, string])[] => [
  ['http://127.0.0.1:8081', running.main],
  ['http://127.0.0.1:1442', running.pagination],
]

const run = promisify(execFile)

async function printedBy(command: string): Promise<string> {
  const moved = ports().reduce((text, [usual, here]) => text.replaceAll(usual, here), command)
  // Not spawnSync: the service that answers runs in this very process.
  const { stdout, stderr } = await run('bash', ['-c', moved.replaceAll('curl ', 'curl -sS ')], { cwd: running.folder })
  const whole = `${stdout}${stderr}`.replaceAll('\r', '').replace(/^Date: .*$/gm, 'Date: Sat, 21 Nov 2026 12:00:00 GMT')
  return whole === '' || whole.endsWith('\n') ? whole : `${whole}\n`
}

const hasCurl = spawnSync('curl', ['--version']).status === 0

test.runIf(hasCurl)('every command of the README prints what the README says', async () => {
  let updated = readme
  for (const block of blocks('console')) {
    const results: { readonly command: string; readonly printed: string; readonly now: string }[] = []
    for (const step of steps(block)) results.push({ ...step, now: await printedBy(step.command) })
    if (updating) updated = updated.replace(block, () => results.map(({ command, now }) => `$ ${command}\n${now}`).join(''))
    else for (const { command, printed, now } of results) expect(`$ ${command}\n${now}`).toBe(`$ ${command}\n${printed}`)
  }
  if (updating) writeFileSync(path, updated)
  expect(blocks('console').length).toBeGreaterThan(5)
})

test('the code of the README stands in the examples, word for word', () => {
  const examples = readdirSync(`${root}/examples`).map((name) => readFileSync(`${root}/examples/${name}`, 'utf8'))
  const unknown = blocks('ts').filter((block) => !examples.some((example) => example.includes(block.trimEnd())))
  expect(unknown).toEqual([])
})
