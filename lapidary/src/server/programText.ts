/**
 * What programs are made of that are written for a schema: an engine makes more of one that sees values of one form than of any that is about all schemas.
 * Of the description, which is the developer's own, a program has names and constants, as literals.
 */

/** A value as it stands in a program. */
export const toLiteral = (value: unknown): string => JSON.stringify(value)

/** The test of a value as an expression, which names the value more than once. */
export type CodeTest = (value: string) => string

/** What JSON Schema calls the types of values that have no parts. */
export const scalarTests: Readonly<Record<'string' | 'integer' | 'number' | 'boolean' | 'null', CodeTest>> = Object.freeze({
  string: (value) => `typeof ${value} === 'string'`,
  integer: (value) => `Number.isSafeInteger(${value})`,
  number: (value) => `(typeof ${value} === 'number' && Number.isFinite(${value}))`,
  boolean: (value) => `typeof ${value} === 'boolean'`,
  null: (value) => `${value} === null`,
})

/** What the body of a function gives that has these names at hand; undefined where programs may not be made of texts (a Content-Security-Policy, some workers). */
export function evaluateSource(source: string, names: Readonly<Record<string, unknown>> = {}): unknown {
  try {
    return new Function(...Object.keys(names), `'use strict'\n${source}`)(...Object.values(names))
  } catch {
    return undefined
  }
}
