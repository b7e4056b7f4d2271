/** Finds the schemas among the exports of modules: the names by which a document calls them. */
import { getJsonSchema, type Schema } from '../describe/schema.ts'
import type { LoadedModule } from './module.ts'

/** Whatever speaks Standard Schema; those of some libraries are functions. */
const isSchema = (value: unknown): value is Schema =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value

/** A module may have schemas that never stand on a wire, and have no form there: they are in nobody's way. */
function hasJsonSchema(schema: Schema): boolean {
  try {
    getJsonSchema(schema)
    return true
  } catch {
    return false
  }
}

/** Every exported schema that has a JSON Schema, by its name. Of two under one name, that of the later module counts. */
export const findSchemas = (...modules: readonly LoadedModule[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    modules
      .flatMap(({ exports }) => Object.entries(exports))
      .filter((named): named is [string, Schema] => named[0] !== 'default' && isSchema(named[1]) && hasJsonSchema(named[1])),
  )
