/** The command in this process: its flags, its messages, what it writes and what it installs. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCreate } from '../src/run.ts'

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-create-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Runs the command where standard input is no terminal. */
async function run(words: readonly string[], { cwd = createFolder(), env = {} }: { cwd?: string; env?: Record<string, string> } = {}) {
  const streams = { output: new PassThrough(), errors: new PassThrough() }
  const exitCode = await runCreate(words, { input: new PassThrough(), ...streams, cwd, env: { ...process.env, ...env } })
  const read = (stream: PassThrough): string => String(stream.read() ?? '').replaceAll(cwd, 'CWD')
  return { cwd, exitCode, output: read(streams.output), errors: read(streams.errors) }
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; scripts: object }

test('without a terminal, the defaults stand for what the flags do not say', async () => {
  const { cwd, exitCode, output, errors } = await run(['--no-install'])
  expect([exitCode, errors]).toEqual([0, ''])
  expect(output).toBe(`The project is in CWD/my-api.

  cd my-api
  npm install
  npm run dev    http://127.0.0.1:3000/stones
  npm run check  in another terminal: is the server what its description says?

README.md has the commands and the files.
`)
  expect(readManifest(join(cwd, 'my-api'))).toMatchObject({ name: 'my-api', dependencies: { zod: expect.any(String) } })
})

test('every flag', async () => {
  const words = ['My Shop', '--schema', 'valibot', '--host', 'bun', '--page', '--postgres', '--docker', '--no-install', '--yes']
  const { cwd, exitCode, output } = await run(words)
  expect(exitCode).toBe(0)
  expect(output).toMatch(/bun install\n {2}docker compose up --detach --wait +the database\n {2}bun run dev +http:\/\/127\.0\.0\.1:5173/)
  const folder = join(cwd, 'My Shop')
  expect(readManifest(folder)).toMatchObject({ name: 'my-shop', dependencies: { valibot: expect.any(String), kysely: expect.any(String) } })
  for (const path of ['bunfig.toml', 'page/main.ts', 'src/database.ts', 'Dockerfile'])
    expect(existsSync(join(folder, path)), path).toBe(true)
})

test('a project in this folder, which has a repository already', async () => {
  const cwd = createFolder()
  mkdirSync(join(cwd, '.git'))
  const { exitCode, output } = await run(['.', '--no-install'], { cwd })
  expect(exitCode).toBe(0)
  expect(output).not.toContain('cd ')
  expect(existsSync(join(cwd, 'src/api.ts'))).toBe(true)
})

test('bun create makes a project for Bun', async () => {
  const { cwd } = await run(['shop', '--no-install'], { env: { npm_config_user_agent: 'bun/1.4.5 npm/? node/v24.3.0' } })
  expect(existsSync(join(cwd, 'shop/bunfig.toml'))).toBe(true)
})

describe('flags that npm took are one sentence, and nothing is made:', () => {
  const npm = 'npm/11.19.1 node/v20.20.2 linux x64 workspaces/false'

  test.each<[words: readonly string[], settings: Readonly<Record<string, string>>, command: string]>([
    [['my-api'], { page: 'true' }, 'my-api -- --page'],
    [['my-api'], { page: 'true', docker: '', install: '' }, 'my-api -- --page --no-docker --no-install'],
    [['my-api', 'valibot'], { schema: 'true', host: 'bun' }, 'my-api -- --schema valibot --host bun'],
    [[], { postgres: 'true' }, 'my-api -- --postgres'],
    [['my shop', '--page'], { docker: 'true' }, '"my shop" -- --docker --page'],
  ])('%j %j', async (words, settings, command) => {
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value]))
    const { cwd, ...ended } = await run(words, { env: { ...env, npm_config_user_agent: npm } })
    const errors = `npm takes the flags before "--" for its own. Run: npm create lapidary ${command}\n`
    expect([ended, readdirSync(cwd)]).toEqual([{ exitCode: 2, output: '', errors }, []])
  })

  test('settings of npm are no flags of other programs', async () => {
    const env = { npm_config_page: 'true', npm_config_user_agent: 'pnpm/10.0.0 npm/? node/v20.20.2 linux x64' }
    expect(await run(['shop', '--no-install'], { env })).toMatchObject({ exitCode: 0, errors: '' })
  })
})

test('a folder with files stays as it is', async () => {
  const cwd = createFolder()
  mkdirSync(join(cwd, 'shop'))
  writeFileSync(join(cwd, 'shop/notes.txt'), 'opal')
  const { exitCode, errors } = await run(['shop', '--no-install'], { cwd })
  expect([exitCode, errors]).toEqual([1, 'The folder shop has files (notes.txt, …). Name an empty folder, or a new one.\n'])
  expect(existsSync(join(cwd, 'shop/package.json'))).toBe(false)
})

test.each(['notes', 'notes/shop'])('%s, which is a file or below one, is a sentence', async (folder) => {
  const cwd = createFolder()
  writeFileSync(join(cwd, 'notes'), 'opal')
  const { exitCode, output, errors } = await run([folder, '--no-install'], { cwd })
  expect([exitCode, output]).toEqual([1, ''])
  expect(errors).toMatch(new RegExp(`^The project cannot be made in CWD/${folder}: ENOTDIR.*\\.\n$`))
})

test('a folder with a space is one word of the next steps', async () => {
  const { output } = await run(['my shop', '--no-install'])
  expect(output).toContain('  cd "my shop"\n')
})

test.each([
  ['--postgres', 'A worker reaches PostgreSQL by Hyperdrive, which needs an account: add it to the finished project.'],
  ['--docker', 'A worker is deployed by wrangler, and not as an image.'],
])('%s is not for workers', async (flag, reason) => {
  const { cwd, exitCode, errors } = await run(['shop', '--host', 'workers', flag])
  expect([exitCode, errors]).toEqual([1, `${flag} is not for --host workers. ${reason}\n`])
  expect(existsSync(join(cwd, 'shop'))).toBe(false)
})

test('a flag that is not known, and a choice that is not there', async () => {
  expect(await run(['--framework', 'x'])).toMatchObject({ exitCode: 2, errors: expect.stringContaining("unknown option '--framework'") })
  const { exitCode, errors } = await run(['--host', 'deno'])
  expect([exitCode, errors]).toEqual([2, expect.stringContaining('Allowed choices are node, bun, workers')])
})

test('the help and the version', async () => {
  expect(await run(['--help'])).toMatchObject({ exitCode: 0, output: expect.stringContaining('--no-install') })
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
  expect(await run(['--version'])).toMatchObject({ exitCode: 0, output: `${version}\n` })
})

/** A folder for PATH with a program that notes where it runs with which words, and ends with an exit code. */
function createInstaller(name: string, exitCode: number): string {
  const folder = createFolder()
  writeFileSync(join(folder, name), `#!/bin/sh\necho "$(basename "$PWD") $*" > "${folder}/log"\nexit ${exitCode}\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

test.skipIf(process.platform === 'win32')('the packages are installed in the project', async () => {
  const programs = createInstaller('npm', 0)
  const { exitCode, output } = await run(['shop'], { env: { PATH: `${programs}:${process.env['PATH']}` } })
  expect(exitCode).toBe(0)
  expect(readFileSync(join(programs, 'log'), 'utf8')).toMatch(/^shop install /)
  expect(output).not.toContain('  npm install\n')
})

test.skipIf(process.platform === 'win32')('packages that cannot be installed are a sentence, and the project stays', async () => {
  const programs = createInstaller('bun', 1)
  const { cwd, exitCode, errors } = await run(['shop', '--host', 'bun'], { env: { PATH: `${programs}:${process.env['PATH']}` } })
  expect([exitCode, errors]).toEqual([1, '"bun install" failed. The project is in CWD/shop: install its packages there.\n'])
  expect(existsSync(join(cwd, 'shop/package.json'))).toBe(true)
  const missing = await run(['shop', '--host', 'bun'], { env: { PATH: createFolder() } })
  expect(missing).toMatchObject({ exitCode: 1, errors: expect.stringContaining('This machine has no program bun.') })
})
