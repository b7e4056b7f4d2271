/** The OpenAPI documents of the service, and of an API with every part of the language in each version: the linter reports nothing. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runNode } from '../command.mjs'
import { compile, native } from '../compiler.mjs'
import { findProgram, here } from '../places.mjs'

/** Rules about what only an author can write of an API. The one in the tests has none of it. */
const skippedRules = ['info-license', 'no-empty-servers', 'operation-summary', 'tag-description']

const versions = ['3.0', '3.1', '3.2']

/** Redocly sends no telemetry, and does not look for a newer version. */
const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' }

/** @param {import('../stage.mjs').Stage} stage */
export async function check(stage) {
  const { folder } = await stage.consumer()
  const document = await stage.document()
  const options = { noEmit: false, outDir: 'documented', rootDir: 'app', rewriteRelativeImportExtensions: true }
  await compile(native, { folder, files: ['app/document.ts'], options })
  const documents = stage.createFolder('documents')
  writeFileSync(join(documents, 'service.json'), JSON.stringify(document, null, 2))
  for (const version of versions)
    writeFileSync(join(documents, `${version}.json`), await runNode(join(folder, 'documented/document.js'), [version]))

  const lint = (/** @type {readonly string[]} */ ...words) =>
    runNode(findProgram('@redocly/cli', 'redocly'), ['lint', ...words, '--config', join(here, 'redocly.yaml'), '--format', 'stylish'], {
      cwd: documents,
      environment,
    })
  await lint('service.json')
  for (const version of versions) await lint(`${version}.json`, ...skippedRules.flatMap((rule) => ['--skip-rule', rule]))
  const operations = Object.values(document.paths).flatMap((item) => Object.keys(item)).length
  return `${operations} operations of the service, and every word of the language in OpenAPI ${versions.join(', ')}: redocly finds nothing`
}
