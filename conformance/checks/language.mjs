/** Programs about the types: what compiles in this repository, compiles against the installed package in both lines of TypeScript. */
import assert from 'node:assert/strict'
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { waitForAll } from '../command.mjs'
import { compile, compilers } from '../compiler.mjs'
import { toolkit } from '../places.mjs'

/** What must compile: the compiler alone reads it. */
const types = join(toolkit, 'test/types')

/** @param {import('../stage.mjs').Stage} stage */
export async function check({ consumer }) {
  const { folder } = await consumer()
  const place = join(folder, 'language')
  const files = readdirSync(types).filter((name) => /^valid\w*\.ts$/.test(name))
  assert(files.length > 0)
  for (const name of files) cpSync(join(types, name), join(place, name))
  for (const compiler of compilers) {
    // Those that `strict` leaves out, set and not set.
    const options = [true, false].map((isSet) => ({ exactOptionalPropertyTypes: isSet, noUncheckedIndexedAccess: isSet }))
    await waitForAll(options.map((one) => compile(compiler, { folder: place, files, options: one })))
  }
  return `${files.join(', ')} compile under TypeScript ${compilers.map(({ version }) => version).join(' and ')}`
}
