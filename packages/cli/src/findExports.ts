/** Finds the API among the exports of a module. */

import type { Api, Schema } from 'lapidary'
import { getJsonSchema } from 'lapidary/internal'
import * as usage from './cliMessages.ts'
import { CliError } from './context.ts'
import type { LoadedModule } from './loadModule.ts'

/** A record that was written as one; the namespace of a module is one, too. */
function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const getKind = (value: object): unknown => Reflect.get(value, '~kind')

/** How many endpoints and mounts a value holds; undefined where it holds anything else, and is no API. */
function countOperations(value: unknown, above: readonly unknown[] = []): number | undefined {
  if (!isPlainRecord(value) || above.includes(value)) return undefined
  const kind = getKind(value)
  if (kind !== undefined) return above.length > 0 && (kind === 'endpoint' || kind === 'mount') ? 1 : undefined
  let sum = 0
  for (const below of Object.values(value)) {
    const count = countOperations(below, [...above, value])
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** Also of one without any endpoint. */
const isApi = (value: unknown): value is Api => countOperations(value) !== undefined

/** A CommonJS module stands as a whole under `default`, besides its exports by their names. */
const isModuleNamespace = (value: unknown, exports: LoadedModule['exports']): boolean =>
  isPlainRecord(value) && Object.entries(value).every(([name, member]) => member === exports[name])

/** What an export is, where it is no API: `User (a schema)`. */
function describeExport([name, value]: readonly [string, unknown]): string {
  if (typeof value !== 'object' && typeof value !== 'function') return `${name} (a ${typeof value})`
  if (value === null) return `${name} (null)`
  if ('~standard' in value) return `${name} (a schema)`
  const kind = getKind(value)
  if (kind === 'endpoint') return `${name} (an endpoint)`
  return `${name} (${kind === 'mount' ? 'a mount' : typeof value === 'function' ? 'a function' : 'an object'})`
}

/**
 * The API of a module: the export of this name; without one, `api`, else the default export, else the only record of endpoints.
 *
 * @throws Mistake when there is none, or no saying which.
 */
export function findApi({ name: module, exports }: LoadedModule, wanted?: string): Api {
  const all = Object.fromEntries(
    Object.entries(exports).filter(([name, value]) => name !== 'default' || !isModuleNamespace(value, exports)),
  )
  const names = Object.keys(all).filter((name) => (countOperations(all[name]) ?? 0) > 0)
  const usual = wanted === undefined ? [all['api'], all['default']] : [Object.hasOwn(exports, wanted) ? exports[wanted] : undefined]
  const found = usual.find(isApi)
  if (found !== undefined) return found
  if (wanted !== undefined) throw new CliError(2, usage.unknownApi(module, wanted, names))
  const [only, ...others] = names
  if (only === undefined) throw new CliError(2, usage.missingApi(module, Object.entries(all).map(describeExport)))
  if (others.length > 0) throw new CliError(2, usage.ambiguousApi(module, names))
  // It was counted as one.
  return all[only] as Api
}

// Finds the schemas among the exports of modules: the names by which a document calls them.

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
