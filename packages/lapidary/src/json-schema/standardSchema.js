/** Body schemas: anything that speaks Standard Schema v1 and can give its JSON Schema. */
import * as complaint from '../messages/developerErrors.js'
/** @throws TypeError for what is no Standard Schema, or has no JSON Schema to give. */
export function assertSchema(schema) {
  // Plain JavaScript may give anything.
  const standard = schema?.['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError(complaint.expectedSchema())
  if (standard.jsonSchema === undefined)
    throw new TypeError(complaint.missingJsonSchema(`${standard.vendor}`, 'it has no "~standard".jsonSchema'))
}
const jsonSchemaCache = new WeakMap()
/**
 * The JSON Schema of what stands on the wire.
 *
 * @throws TypeError when the schema cannot give one.
 */
export function getJsonSchema(schema) {
  const found = jsonSchemaCache.get(schema)
  if (found !== undefined) return found
  // One without jsonSchema was refused where its content was made.
  const standard = schema['~standard']
  let given
  try {
    given = standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw new TypeError(complaint.missingJsonSchema(standard.vendor, error instanceof Error ? error.message : String(error)), {
      cause: error,
    })
  }
  jsonSchemaCache.set(schema, given)
  return given
}
