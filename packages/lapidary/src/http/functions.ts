/** Options and functions that a program gives. Plain JavaScript can give anything in their place, which would fail at the first request. */
import * as developerErrors from '../messages/developerErrors.ts'
import { isPromise } from './promises.ts'

/** The kind of a value, for a message. The value itself may be a secret. */
export function describeKind(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return 'an array'
  if (isPromise(value)) return 'a promise'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** Whether an object has no class. The prototype of plain objects, of this realm or any other, has none itself. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * Checks a function that is needed.
 *
 * @param place what the message begins with: `authenticate("people"): verify`
 * @throws TypeError for anything else
 */
export function requireFunction(place: string, value: unknown): void {
  if (typeof value !== 'function') throw new TypeError(developerErrors.expectedFunction(place, describeKind(value)))
}

/**
 * Checks options that are functions.
 *
 * @param place whose options they are: `serve()`
 * @throws TypeError for an option that is given and is no function
 */
export function checkFunctions(place: string, options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && typeof value !== 'function')
      throw new TypeError(developerErrors.expectedFunctionOption(`${place}: ${name}`, describeKind(value)))
}

/**
 * Checks the names of options.
 *
 * @param place whose options they are: `serve()`
 * @param known the names that there are, each with a comma and a space after it but the last
 * @throws TypeError for an option that does not exist
 */
export function checkOptions(place: string, options: object, known: string): void {
  const names = known.split(', ')
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(developerErrors.unknownOption(place, unknown, known))
}
