/** The smallest pair of documents for each check of oasdiff, by its id. */
import { memberChanges } from './memberChanges.mjs'
import { operationChanges } from './operationChanges.mjs'
import { places } from './places.mjs'
import { schemaChanges } from './schemaChanges.mjs'

/** @typedef {import('./operationChanges.mjs').Pair} Pair */

/** The pairs of all changes of a schema in all places: more than there are checks. @type {Readonly<Record<string, Pair>>} */
const schemaPairs = Object.fromEntries(
  Object.entries(places).flatMap(([place, create]) =>
    schemaChanges.map(([name, old, now]) => [`${place}-${name}`, [create(old), create(now)]]),
  ),
)

/** @type {Readonly<Record<string, Pair>>} */
export const pairs = { ...schemaPairs, ...memberChanges, ...operationChanges }
