/** An app that exports its API, its server and its client: the declarations that are emitted for it are whole, hold no `any`, and serve another project. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import typescript from 'typescript'
import { waitForAll } from '../command.mjs'
import { compile, compilers, native } from '../compiler.mjs'

/** Finds the places of `any` in declarations, as `file:line`. */
function findAnys(path) {
  const text = readFileSync(path, 'utf8')
  const source = typescript.createSourceFile(path, text, typescript.ScriptTarget.Latest)
  const found = []
  const visit = (node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.pos)
    if (node.kind === typescript.SyntaxKind.AnyKeyword) found.push(`${path}:${line + 1}: ${text.split('\n')[line]}`)
    typescript.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Emits the declarations of the app, and reads them with both compilers. @returns their size */
async function emitDeclarations(compiler, folder, place) {
  const output = join(folder, place)
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: 'app',
    outDir: place,
  }
  await compile(compiler, { folder, files: ['app/app.ts'], options })
  const files = readdirSync(output).map((name) => join(output, name))
  assert(files.length > 0)
  assert.deepEqual(files.flatMap(findAnys), [])
  cpSync(join(folder, 'reader'), output, { recursive: true })
  const reader = { folder, files: [`${place}/reader.ts`] }
  // The declarations of all packages with it, for which the other compiler takes a quarter of a minute.
  const whole = { ...reader, options: { skipLibCheck: false } }
  await waitForAll([...compilers.map((one) => compile(one, reader)), compile(native, whole)])
  return files.reduce((sum, path) => sum + readFileSync(path).length, 0)
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  const { folder } = await consumer()
  const sizes = []
  for (const compiler of compilers) sizes.push(await emitDeclarations(compiler, folder, `declared.${compiler.version}`))
  return `${Math.round(Math.max(...sizes) / 1000)} kB, emitted and read by both lines of TypeScript, without any \`any\``
}
