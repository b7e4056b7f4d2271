/** Values of a schema, by three generators: ours, json-schema-faker, and values near the schema. Some are not valid. */
import * as fc from 'fast-check'
import { generateSync } from 'json-schema-faker'
import { neverSchema, parseSchema } from 'lapidary/internal'
import { createArbitrary } from '../../packages/testing/src/generate/values.ts'
import { near, random } from '../../packages/testing/test/support/diff/randomSchema.ts'

/** @typedef {import('./suite.mjs').Schema} Schema */

/** How many values each generator makes of a schema. */
const counts = { own: 5, faker: 3, near: 6 }

function sampleOwn(/** @type {Schema} */ schema, /** @type {number} */ seed) {
  const values = createArbitrary(parseSchema(schema === false ? neverSchema : schema).raw)
  return values === undefined ? [] : fc.sample(values, { numRuns: counts.own, seed })
}

/** It refuses some schemas, such as those without a value. */
function sampleFaker(/** @type {Schema} */ schema, /** @type {number} */ seed) {
  try {
    return Array.from({ length: counts.faker }, (_, index) => generateSync(schema, { seed: seed + index, maxDepth: 4 }))
  } catch {
    return []
  }
}

/** It may not know what the suite has. */
function sampleNear(/** @type {Schema} */ schema, /** @type {number} */ seed) {
  if (typeof schema === 'boolean') return []
  const next = random(seed)
  return Array.from({ length: counts.near }, () => near(next, schema, schema))
}

/** @param {Schema} writer @param {Schema} reader @param {number} seed @returns {readonly unknown[]} */
export const sampleValues = (writer, reader, seed) =>
  // Through JSON, since a generator may leave `undefined` in its values.
  [...sampleOwn(writer, seed), ...sampleFaker(writer, seed), ...sampleNear(writer, seed), ...sampleNear(reader, seed + 1)].flatMap(
    (value) => (value === undefined ? [] : [JSON.parse(JSON.stringify(value))]),
  )
