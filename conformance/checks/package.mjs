/** The package: it holds what it should and nothing else, and those who lint packages have nothing to say. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { node } from '../command.mjs'
import { manifestIn, programOf, root, toolkit } from '../places.mjs'

/** What is built from one source. */
const built = ['.js', '.js.map', '.d.ts', '.d.ts.map']

/** Each source with what is built from it, and what every package has. A build that is older than its sources holds more. */
function expected(files, { bin }) {
  const sources = files.filter((path) => path.startsWith('src/'))
  for (const path of sources) assert.match(path, /^src\/[\w/]+(?<!\.(?:test|d))\.ts$/, `${path} is no source`)
  const results = sources.flatMap((path) => built.map((extension) => path.replace(/^src(.*)\.ts$/, `dist$1${extension}`)))
  return [...sources, ...results, ...Object.values(bin), 'LICENSE', 'README.md', 'package.json']
}

/** Every file that a debugger or an editor is sent to. */
function sourcesOfMaps(folder, files) {
  const maps = files.filter((path) => path.endsWith('.map'))
  return maps.flatMap((path) => {
    const { sources } = JSON.parse(readFileSync(join(folder, path), 'utf8'))
    return sources.map((source) => join(path, '..', source))
  })
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ packed }) {
  const { tarball, size, unpackedSize, files } = await packed()
  const folder = join(tarball, '..')
  const manifest = manifestIn(toolkit)
  assert.deepEqual([...files].sort(), expected(files, manifest).sort())
  assert.deepEqual(
    sourcesOfMaps(folder, files).filter((path) => !existsSync(join(folder, path))),
    [],
  )
  assert.equal(readFileSync(join(toolkit, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'))

  const doors = Object.keys(manifest.exports).map((name) => name.replace('.', 'lapidary'))
  const readme = readFileSync(join(toolkit, 'README.md'), 'utf8')
  assert.deepEqual(
    doors.filter((door) => !readme.includes(`\n| \`${door}\` |`)),
    [],
    'README.md says nothing of these',
  )

  const { buffer, byteOffset, byteLength } = readFileSync(tarball)
  const { messages } = await publint({ pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) } })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, manifest, { color: false })),
    [],
  )
  await node(programOf('@arethetypeswrong/cli', 'attw'), [tarball, '--profile', 'esm-only', '--no-definitely-typed'])
  const kilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`
  return `${doors.length} subpaths, ${files.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked; publint and attw find nothing`
}
