/** Schemas without references: those of parameters and of parts of a form, which stand within other schemas. */
import type { JsonSchema } from 'lapidary'
import { mapKeyword } from 'lapidary/internal'
import { getDefinitionName } from './definitionNames.ts'

/** A schema with its definitions in place of the references to them. A definition within itself is any value. */
export function inlineDefinitions({ $defs = {}, ...schema }: JsonSchema): JsonSchema {
  const inline = (part: JsonSchema, open: readonly string[]): JsonSchema => {
    const { $ref: reference, ...own } = part
    const name = reference === undefined ? undefined : getDefinitionName(reference)
    if (name !== undefined && open.includes(name)) return {}
    const target = name === undefined ? {} : inline($defs[name] ?? {}, [...open, name])
    const beside = Object.entries(own).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, (inner) => inline(inner, open))])
    return { ...target, ...Object.fromEntries(beside) }
  }
  return Object.keys($defs).length === 0 ? schema : inline(schema, [])
}
