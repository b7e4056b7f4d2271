/** Finds the API and the schemas among the exports of a module. */
import { type Api, operations, type Schema } from 'lapidary'
import { getJsonSchema } from 'lapidary/internal'
import * as messages from './cliMessages.ts'
import { CliError } from './context.ts'
import type { LoadedModule } from './loadModule.ts'

/** Whether a value is a plain object. The namespace of a module is one, too. */
function isPlainRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const getKind = (value: object): unknown => Reflect.get(value, '~kind')

/** The kinds of the members of an API. */
const memberKinds: readonly unknown[] = ['endpoint', 'mount', 'webhook']

/** Counts the endpoints, mounts and webhooks of a value; `undefined` if it contains anything else, and is no API. */
function countOperations(value: unknown, ancestors: readonly unknown[] = []): number | undefined {
  if (!isPlainRecord(value) || ancestors.includes(value)) return undefined
  const kind = getKind(value)
  if (kind !== undefined) return ancestors.length > 0 && memberKinds.includes(kind) ? 1 : undefined
  let sum = 0
  for (const member of Object.values(value)) {
    const count = countOperations(member, [...ancestors, value])
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** Whether a value is an API, which may be empty. */
const isApi = (value: unknown): value is Api => countOperations(value) !== undefined

/** Whether a default export is the namespace of its own module, as that of a CommonJS module is. */
const isModuleNamespace = (value: unknown, exports: LoadedModule['exports']): boolean =>
  isPlainRecord(value) && Object.entries(value).every(([name, member]) => member === exports[name])

/** Describes an export that is no API: `User (a schema)`. */
function describeExport([name, value]: readonly [string, unknown]): string {
  if (typeof value !== 'object' && typeof value !== 'function') return `${name} (a ${typeof value})`
  if (value === null) return `${name} (null)`
  if ('~standard' in value) return `${name} (a schema)`
  const kind = getKind(value)
  if (kind === 'endpoint') return `${name} (an endpoint)`
  if (kind === 'webhook') return `${name} (a webhook)`
  return `${name} (${kind === 'mount' ? 'a mount' : typeof value === 'function' ? 'a function' : 'an object'})`
}

/**
 * Finds the API of a module: the export with the given name, else `api`, else the default export, else the only export that is an API.
 *
 * @throws CliError if there is none, or several, or its description is wrong
 */
export function findApi({ name: module, exports }: LoadedModule, exportName?: string): Api {
  const candidates = Object.fromEntries(
    Object.entries(exports).filter(([name, value]) => name !== 'default' || !isModuleNamespace(value, exports)),
  )
  const names = Object.keys(candidates).filter((name) => (countOperations(candidates[name]) ?? 0) > 0)
  const preferred =
    exportName === undefined
      ? [candidates['api'], candidates['default']]
      : [Object.hasOwn(exports, exportName) ? exports[exportName] : undefined]
  const found = preferred.find(isApi)
  if (found !== undefined) return requireSoundApi(found)
  if (exportName !== undefined) throw new CliError(2, messages.unknownApi(module, exportName, names))
  const [only, ...others] = names
  if (only === undefined) throw new CliError(2, messages.missingApi(module, Object.entries(candidates).map(describeExport)))
  if (others.length > 0) throw new CliError(2, messages.ambiguousApi(module, names))
  return requireSoundApi(candidates[only] as Api)
}

/** Returns an API whose description is sound. @throws CliError that names the place of what is wrong */
function requireSoundApi(api: Api): Api {
  try {
    operations(api)
    return api
  } catch (error) {
    throw error instanceof TypeError ? new CliError(2, error.message, { cause: error }) : error
  }
}

/** Whether a value is a Standard Schema. Those of some libraries are functions. */
const isSchema = (value: unknown): value is Schema =>
  ((typeof value === 'object' && value !== null) || typeof value === 'function') && '~standard' in value

function hasJsonSchema(schema: Schema): boolean {
  try {
    getJsonSchema(schema)
    return true
  } catch {
    return false
  }
}

/** Finds the exported schemas that have a JSON Schema, by name. If two have the same name, the later module wins. */
export const findSchemas = (...modules: readonly LoadedModule[]): Readonly<Record<string, Schema>> =>
  Object.fromEntries(
    modules
      .flatMap(({ exports }) => Object.entries(exports))
      .filter((entry): entry is [string, Schema] => entry[0] !== 'default' && isSchema(entry[1]) && hasJsonSchema(entry[1])),
  )
