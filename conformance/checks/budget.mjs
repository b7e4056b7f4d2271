/** What the compilers do for a large API: five hundred endpoints, their handlers and their calls. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tsImport } from 'tsx/esm/api'
import { compare, stated } from '../budgets.mjs'
import { compile, compilers } from '../compiler.mjs'

/** The program is that of the test; it is imported from TypeScript. @type {{ program: (parts: number) => string }} */
const { program } = await tsImport('../../packages/lapidary/test/types/manyEndpoints.ts', import.meta.url)

const perPart = 10
const parts = 50

/** One line of the compiler's diagnostics, as a number. */
function readFigure(output, name) {
  const found = new RegExp(`^${name}:\\s+([\\d.]+)`, 'm').exec(output)
  assert(found, `the output of the compiler has no line "${name}"`)
  return Number(found[1])
}

async function measureCompiler(compiler, folder, count) {
  const name = `program${count}.ts`
  writeFileSync(join(folder, name), program(count))
  const output = await compile(compiler, { folder, files: [name], words: ['--extendedDiagnostics'] })
  return {
    instantiations: readFigure(output, 'Instantiations'),
    seconds: readFigure(output, 'Total time'),
    megabytes: readFigure(output, 'Memory used') / 1000,
  }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  const { folder } = await consumer()
  const found = []
  for (const compiler of compilers) {
    const none = await measureCompiler(compiler, folder, 0)
    const all = await measureCompiler(compiler, folder, parts)
    const each = (all.instantiations - none.instantiations) / (parts * perPart)
    const row = `TypeScript ${compiler.version}`
    found.push(`${compare(row, each, stated(row))} (${all.seconds.toFixed(1)} s, ${Math.round(all.megabytes)} MB)`)
  }
  return `instantiations for each of ${parts * perPart} endpoints: ${found.join('; ')}`
}
