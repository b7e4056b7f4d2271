/** JSON by a program that is made for its schema, where one can be made; by the general writer everywhere else. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { compileExactTest } from './jsonLook.ts'
import { compileProgram } from './jsonProgram.ts'

/** `written`: by a program that looks and writes in one go. `looked`: by `JSON.stringify`, behind a look whether it would write the same. */
export type WriteStrategy = 'written' | 'looked'

/** V8 is done with all of the first before its `JSON.stringify` is. That of JavaScriptCore takes half the time of anything that a program could do. */
const defaultWriteStrategy: WriteStrategy = 'Bun' in globalThis ? 'looked' : 'written'

/** What a writer of this schema makes, sooner where that can be. @param write what writes any value of the schema, or says what is wrong with it */
export function compileWriter<Value, Text>(
  schema: JsonSchema,
  write: (value: Value) => Text,
  way: WriteStrategy = defaultWriteStrategy,
): (value: Value) => Text | string {
  if (way === 'looked') {
    const isExact = compileExactTest(schema)
    return isExact === undefined ? write : (value) => (isExact(value) ? JSON.stringify(value) : write(value))
  }
  const program = compileProgram(schema)
  if (program === undefined) return write
  return (value) => {
    try {
      return program(value)
    } catch {
      return write(value)
    }
  }
}
