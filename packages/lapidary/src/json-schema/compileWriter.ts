/** Compiles the writer of a schema: what its program does not write is left to the general writer. */
import type { JsonSchema } from './jsonSchema.ts'
import { createWriter, type JsonWriter } from './writer.ts'
import { compileExactTest, compileProgram } from './writerProgram.ts'

/** `program`: one program tests and writes. `stringify`: `JSON.stringify` writes, after a test that it would write the same. */
export type WriteStrategy = 'program' | 'stringify'

/** V8 finishes the program before its `JSON.stringify`. That of JavaScriptCore takes half the time of any program. */
const defaultWriteStrategy: WriteStrategy = 'Bun' in globalThis ? 'stringify' : 'program'

/** Compiles the writer of a schema's values as `createWriter` creates it: the same texts and errors, in less time. */
export function compileWriter(
  schema: JsonSchema,
  root: JsonSchema = schema,
  strategy: WriteStrategy = defaultWriteStrategy,
  write: JsonWriter = createWriter(schema, root),
): JsonWriter {
  if (strategy === 'stringify') {
    const isExact = compileExactTest(schema, root)
    return isExact === undefined ? write : (value) => (isExact(value) ? JSON.stringify(value) : write(value))
  }
  const program = compileProgram(schema, root)
  if (program === undefined) return write
  return (value) => {
    try {
      return program(value)
    } catch {
      return write(value)
    }
  }
}
