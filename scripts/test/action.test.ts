/** The GitHub Action: the script of its step, with the environment that a runner gives it, and the command line of this repository as npx. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listen } from 'lapidary/node'
import { expect, onTestFinished, test } from 'vitest'
import { parse, stringify } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>
  readonly runs: {
    readonly using: string
    readonly steps: readonly { readonly shell: string; readonly env: Readonly<Record<string, string>>; readonly run: string }[]
  }
}
const action = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as Action
const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as { readonly version: string }

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A program `npx` that runs the command line of this repository, and refuses any other package. */
function createNpx(): string {
  const folder = createFolder()
  const program = join(folder, 'npx')
  const cli = join(root, 'packages/cli/bin/lapidary.js')
  writeFileSync(
    program,
    `#!/bin/sh\n[ "$1 $2" = "--yes @lapidary/cli@${version}" ] || exit 99\nshift 2\nexec "${process.execPath}" "${cli}" "$@"\n`,
  )
  chmodSync(program, 0o755)
  return folder
}

interface Ended {
  readonly code: number
  readonly output: string
  readonly summary: string
  readonly outputs: string
}

/** Runs the step as a runner does: expressions become the environment. */
async function runAction(cwd: string, inputs: Readonly<Record<string, string>>, baseRef = ''): Promise<Ended> {
  const [step] = action.runs.steps
  const files = createFolder()
  const [summary, outputs] = [join(files, 'summary.md'), join(files, 'outputs')]
  write(files, { 'summary.md': '', outputs: '' })
  for (const name of Object.keys(inputs)) expect(action.inputs).toHaveProperty(name)
  const evaluate = (text: string): string =>
    text
      .replace(/\$\{\{ inputs\.(\w+) \}\}/, (_, name: string) => inputs[name] ?? action.inputs[name]?.default ?? '')
      .replace(/\$\{\{ github\.action_path \}\}/, () => root.replace(/\/$/, ''))
  const own = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, text]) => [name, evaluate(text)]))
  const env = {
    ...own,
    PATH: [createNpx(), process.env['PATH']].join(delimiter),
    HOME: files,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    GITHUB_BASE_REF: baseRef,
  }
  const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? '']
  const { code, output } = await new Promise<{ readonly code: number; readonly output: string }>((resolve) => {
    execFile('bash', words, { cwd, env }, (error, stdout) => resolve({ code: error === null ? 0 : Number(error.code), output: stdout }))
  })
  return { code, output, summary: readFileSync(summary, 'utf8'), outputs: readFileSync(outputs, 'utf8') }
}

const createDocument = (values: readonly string[]): string =>
  stringify({
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    paths: {
      '/stones': {
        get: {
          operationId: 'list',
          parameters: [{ name: 'sort', in: 'query', schema: { enum: values } }],
          responses: { 204: { description: '' } },
        },
      },
    },
  })
const [old, now] = [createDocument(['name', 'size']), createDocument(['name'])]
const annotation = '::error file=openapi.yaml,line=7,title=GET /stones%3A query sort changed::Old clients may send "size"'

/** A clone as actions/checkout makes it of a pull request: one commit, that of the merge. */
function createClone(): string {
  const [origin, clone] = [createFolder(), createFolder()]
  const git = (cwd: string, ...words: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...words], { cwd, encoding: 'utf8', stdio: 'pipe' })
  git(origin, 'init', '--quiet', '--initial-branch=main')
  write(origin, { 'openapi.yaml': old })
  git(origin, 'add', '--all')
  git(origin, 'commit', '--quiet', '--message', 'Released')
  git(origin, 'switch', '--quiet', '--create', 'next')
  write(origin, { 'openapi.yaml': now })
  git(origin, 'commit', '--quiet', '--all', '--message', 'Next')
  git(clone, 'clone', '--quiet', '--depth=1', '--branch=next', `file://${origin}`, '.')
  return clone
}

test('a pull request: annotations, the summary, the comment, the part of the version, and a failed step', async () => {
  const clone = createClone()
  const { code, output, summary, outputs } = await runAction(
    clone,
    { comment: 'comment.md', format: 'sarif=report.sarif\njunit=report.xml' },
    'main',
  )
  expect(output).toContain(annotation)
  expect(summary).toMatch(/^<!-- lapidary diff -->\n\n### ❌ 1 change breaks clients\./)
  expect(readFileSync(join(clone, 'comment.md'), 'utf8')).toBe(summary)
  expect(existsSync(join(clone, 'report.sarif')) && existsSync(join(clone, 'report.xml'))).toBe(true)
  expect({ code, outputs }).toEqual({ code: 1, outputs: 'semver=major\nfailed=true\n' })
})

test('an intended change does not fail the step, and neither does any change with fail: false', async () => {
  const folder = createFolder()
  write(folder, { 'old.yaml': old, 'openapi.yaml': now })
  const files = { old: 'old.yaml', new: 'openapi.yaml' }
  expect(await runAction(folder, { ...files, allow: 'other\nlist query sort\n' })).toMatchObject({
    code: 0,
    outputs: 'semver=major\nfailed=false\n',
  })
  expect(await runAction(folder, { ...files, fail: 'false' })).toMatchObject({ code: 0, outputs: 'semver=major\nfailed=true\n' })
})

test('check of a running server, with a token that no argument has', async () => {
  const seen = new Set<string | undefined>()
  const { url, close } = await listen(
    (request) => {
      seen.add(request.header('authorization'))
      return { status: 200, headers: [], body: null }
    },
    { port: 0, host: '127.0.0.1' },
  )
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const folder = createFolder()
  mkdirSync(join(folder, 'docs'))
  const secured = parse(now) as Record<string, object>
  const schemes = { components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } }, security: [{ token: [] }] }
  write(folder, { 'docs/openapi.yaml': stringify({ ...secured, ...schemes }) })
  const { code, output, summary, outputs } = await runAction(folder, {
    command: 'check',
    document: 'docs/openapi.yaml',
    url,
    token: 't-123',
  })
  expect(seen.has('Bearer t-123')).toBe(true)
  expect(output).toMatch(/^::error file=docs\/openapi\.yaml,line=7,title=GET \/stones%3A status::/m)
  expect(summary).toMatch(/### ❌ \d+ faults at \d+ places\./)
  expect(output + summary).not.toContain('t-123')
  expect({ code, outputs }).toEqual({ code: 1, outputs: 'failed=true\n' })
})

test.each([
  [{}, 'Name what to compare, by the input range, or by old and new'],
  [{ old: 'a.yaml' }, 'The input old needs the input new.'],
  [{ command: 'check', document: 'a.yaml' }, 'check needs the inputs document and url.'],
  [{ command: '$(touch hacked)' }, 'The input command is $(touch hacked). It is diff or check.'],
])('%j is rejected', async (inputs, message) => {
  const folder = createFolder()
  const { code, output } = await runAction(folder, inputs)
  expect({ code, output }).toEqual({
    code: 2,
    output: `::error title=Lapidary::${message}${output.includes('only a pull') ? ': only a pull request has a target branch.' : ''}\n`,
  })
  expect(existsSync(join(folder, 'hacked'))).toBe(false)
})

test('it is one composite step of bash, and each input says what it is', () => {
  expect(action.runs.using).toBe('composite')
  expect(action.runs.steps.map(({ shell }) => shell)).toEqual(['bash'])
  for (const { description } of Object.values(action.inputs)) expect(description).toMatch(/^[A-Z\w].*\.$/)
  expect(action.runs.steps[0]?.run).not.toContain('${{')
})
