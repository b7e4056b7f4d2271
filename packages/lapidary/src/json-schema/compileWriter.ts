/** Compiles the writer of a schema: what its program does not write is left to the general writer. */
import type { JsonSchema } from './jsonSchema.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { createResponseWriter, type JsonWriter } from './writer.ts'
import { compileCopier, compileProgram } from './writerProgram.ts'

/** `program`: one program tests and writes. `copy`: one program tests and copies, and `JSON.stringify` writes the copy. */
export type WriteStrategy = 'program' | 'copy'

/** V8 finishes the program before its `JSON.stringify`. That of JavaScriptCore takes half the time of any program. */
const defaultWriteStrategy: WriteStrategy = 'Bun' in globalThis ? 'copy' : 'program'

function compile(schema: JsonSchema, root: JsonSchema, strategy: WriteStrategy, write: JsonWriter): JsonWriter {
  const copy = strategy === 'copy' ? compileCopier(schema, root) : undefined
  const program = copy === undefined ? compileProgram(schema, root) : (value: unknown) => JSON.stringify(copy(value))
  if (program === undefined) return write
  return (value) => {
    try {
      return program(value)
    } catch {
      return write(value)
    }
  }
}

/** The writers that were compiled before: a schema is often that of several endpoints. */
const writers = new WeakMap<SchemaNode, JsonWriter>()

/**
 * Compiles the writer of a schema's values as `createResponseWriter` creates it: the same texts and errors, in less time.
 *
 * @param write writes what the program does not
 */
export function compileWriter(schema: JsonSchema, root: JsonSchema = schema, strategy?: WriteStrategy, write?: JsonWriter): JsonWriter {
  const node = parseSchema(schema, root)
  const known = (strategy ?? write) === undefined ? writers.get(node) : undefined
  const writer = known ?? compile(schema, root, strategy ?? defaultWriteStrategy, write ?? createResponseWriter(schema, root))
  if ((strategy ?? write) === undefined) writers.set(node, writer)
  return writer
}
