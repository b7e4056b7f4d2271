/** Writes the OpenAPI documents of TypeSpec's scenarios to standard output, as JSON: those of each folder, and why a folder has none. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile, createSourceFile, NodeHost } from '@typespec/compiler'
import { getOpenAPI3 } from '@typespec/openapi3'

const specs = fileURLToPath(new URL('node_modules/@typespec/http-specs/specs', import.meta.url))

/** The emitter fails for a parameter that is called `constructor`. The one operation that has it is left out. */
const host = {
  ...NodeHost,
  readFile: async (path) => {
    const file = await NodeHost.readFile(path)
    return path.endsWith('special-words/main.tsp')
      ? createSourceFile(file.text.replace(/.*withConstructor\(@query.*/, ''), file.path)
      : file
  },
}

/** The documents of a folder, one for each version of its API. */
async function emit(folder) {
  const program = await compile(host, join(specs, folder, 'main.tsp'), { noEmit: true })
  const error = program.diagnostics.find(({ severity }) => severity === 'error')
  if (error !== undefined) throw new Error(`${folder}: ${error.message}`)
  const records = await getOpenAPI3(program, { 'openapi-versions': ['3.1.0'] })
  return records.flatMap((record) => (record.versioned ? record.versions : [record])).map(({ document }) => document)
}

const documents = []
for (const file of readdirSync(specs, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!file.endsWith('mockapi.ts')) continue
  const folder = join(file, '..')
  documents.push(...(await emit(folder)).map((document) => ({ folder, document })))
}
process.stdout.write(JSON.stringify(documents))
