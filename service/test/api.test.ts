/** The description of the service runs in browsers too. */
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a browser can import the API: its modules are the contract, the toolkit and zod', async () => {
  // A module of Node would fail the build, because browsers do not have it.
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['service/src/api.ts'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['source'],
    logLevel: 'silent',
  })
  const modules = Object.keys(metafile.inputs)
  const known = /^(service\/src\/api(\.ts|\/\w+\.ts)|(lapidary|packages\/lapidary)\/src\/(?!kysely).+|node_modules\/(zod|mime)\/.+)$/
  expect(modules.filter((path) => !known.test(path))).toEqual([])
  expect(modules).toContain('service/src/api.ts')
})
