/** The plugin of Vite, in real builds and in a real development server. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BuildEnvironmentOptions, build, createServer } from 'vite'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { lapidaryRoutes } from '../src/vitePlugin.ts'

const packages = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
let root: string

const stones = (path: string): string => `import { endpoint, ok } from 'lapidary'
import { Stone } from './stone.ts'
export const stones = endpoint('GET ${path}', { response: ok(Stone) })
`
const files: Readonly<Record<string, string>> = {
  'stone.ts': `import { z } from 'zod'
export const Stone = z.object({ name: z.string().min(1, 'a marker of the schema') })
`,
  'stones.ts': stones('/stones'),
  'api.ts': `import { endpoint, noContent, prefix } from 'lapidary'
import { stones } from './stones.ts'
export const api = { stones, internal: prefix('/internal', { clear: endpoint('POST /clear', { response: noContent }) }) }
`,
  'page.ts': `import { client } from 'lapidary/light'
import type { api } from './api.ts'
import { routes } from './api.routes.ts'
export const call = client<Omit<typeof api, 'internal'>>(routes, location.origin)
`,
}

beforeAll(() => {
  // Vite watches nothing below node_modules.
  root = realpathSync(mkdtempSync(join(tmpdir(), 'vite-')))
  symlinkSync(packages, join(root, 'node_modules'), 'junction')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const plugin = () => lapidaryRoutes({ api: 'api.ts', out: 'api.routes.ts', except: ['internal'] })
const readRoutes = (): string => readFileSync(join(root, 'api.routes.ts'), 'utf8')

async function buildPage(): Promise<string> {
  const options: BuildEnvironmentOptions = { write: false, lib: { entry: join(root, 'page.ts'), formats: ['es'] } }
  const result = await build({ root, configFile: false, logLevel: 'silent', build: options, plugins: [plugin()] })
  return JSON.stringify(result)
}

test('a build has the routes of the API as it is, without schemas and without what is left out', async () => {
  const page = await buildPage()
  expect(page).toContain('GET /stones')
  expect(page).not.toMatch(/a marker of the schema|internal\/clear/)
  expect(readRoutes()).toContain("stones: { route: 'GET /stones', responses: [[200, json]] }")
})

test('a file that is up to date is not written again, and a stale one is', async () => {
  const { mtimeMs } = statSync(join(root, 'api.routes.ts'))
  await buildPage()
  expect(statSync(join(root, 'api.routes.ts')).mtimeMs).toBe(mtimeMs)
  writeFileSync(join(root, 'stones.ts'), stones('/gems'))
  expect(await buildPage()).toContain('GET /gems')
})

test('the development server writes it when a file of the API changes, also one that the API imports', async () => {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    // A port that is free, on this machine alone.
    server: { port: 0, host: '127.0.0.1' },
    plugins: [plugin()],
  })
  await server.listen()
  try {
    const [url = ''] = server.resolvedUrls?.local ?? []
    const load = async (): Promise<string> => (await fetch(`${url}api.routes.ts`)).text()
    expect(await load()).toContain('GET /gems')
    writeFileSync(join(root, 'stones.ts'), stones('/jewels'))
    await vi.waitFor(async () => expect(await load()).toContain('GET /jewels'), { timeout: 10_000, interval: 50 })
    expect(readRoutes()).toContain('GET /jewels')
  } finally {
    await server.close()
  }
})

test('an API with an error does not end the development server, which writes the routes when the error is gone', async () => {
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { port: 0, host: '127.0.0.1' },
    plugins: [plugin()],
  })
  const errors: unknown[] = []
  server.config.logger.error = (error) => void errors.push(error)
  await server.listen()
  try {
    // The module with the error is not yet one of the API.
    writeFileSync(join(root, 'gem.ts'), "export const path = '/broken\n")
    await new Promise((resolve) => setTimeout(resolve, 300))
    writeFileSync(
      join(root, 'stones.ts'),
      stones('/jewels').replace("endpoint('GET /jewels'", 'endpoint(path').replace('import', "import { path } from './gem.ts'\nimport"),
    )
    await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0), { timeout: 10_000, interval: 50 })
    expect(readRoutes()).toContain('GET /jewels')
    writeFileSync(join(root, 'gem.ts'), "export const path = 'GET /mended'\n")
    await vi.waitFor(() => expect(readRoutes()).toContain('GET /mended'), { timeout: 10_000, interval: 50 })
  } finally {
    await server.close()
    writeFileSync(join(root, 'stones.ts'), stones('/jewels'))
  }
})

test('an endpoint that the light client cannot have stops the build with a sentence', async () => {
  writeFileSync(join(root, 'stone.ts'), "import { z } from 'zod'\nexport const Stone = z.string().transform(Number)\n")
  await expect(buildPage()).rejects.toThrow('GET /jewels: the response 200: its schema decodes the value.')
})
