// Decorators of parameters and their types need TypeScript's own output.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const source = fileURLToPath(new URL('./nest.ts', import.meta.url))
const output = fileURLToPath(new URL(`./nest.${process.pid}.mjs`, import.meta.url))
const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
}
writeFileSync(output, ts.transpileModule(readFileSync(source, 'utf8'), { compilerOptions }).outputText)
try {
  await import(output)
} finally {
  rmSync(output)
}
