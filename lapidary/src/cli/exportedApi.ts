/** Finds the API among the exports of a module. */
import type { Api } from '../describe/api.ts'
import * as usage from '../describe/usage.ts'
import { Mistake } from './mistake.ts'
import type { Module } from './module.ts'

/** A record that was written as one; the namespace of a module is one, too. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const kindOf = (value: object): unknown => Reflect.get(value, '~kind')

/** How many endpoints and mounts a value holds; undefined where it holds anything else, and is no API. */
function operationsIn(value: unknown, above: readonly unknown[] = []): number | undefined {
  if (!isRecord(value) || above.includes(value)) return undefined
  const kind = kindOf(value)
  if (kind !== undefined) return above.length > 0 && (kind === 'endpoint' || kind === 'mount') ? 1 : undefined
  let sum = 0
  for (const below of Object.values(value)) {
    const count = operationsIn(below, [...above, value])
    if (count === undefined) return undefined
    sum += count
  }
  return sum
}

/** Also of one without any endpoint. */
const isApi = (value: unknown): value is Api => operationsIn(value) !== undefined

/** A CommonJS module stands as a whole under `default`, besides its exports by their names. */
const isWhole = (value: unknown, exports: Module['exports']): boolean =>
  isRecord(value) && Object.entries(value).every(([name, member]) => member === exports[name])

/** What an export is, where it is no API: `User (a schema)`. */
function described([name, value]: readonly [string, unknown]): string {
  if (typeof value !== 'object' && typeof value !== 'function') return `${name} (a ${typeof value})`
  if (value === null) return `${name} (null)`
  if ('~standard' in value) return `${name} (a schema)`
  const kind = kindOf(value)
  if (kind === 'endpoint') return `${name} (an endpoint)`
  return `${name} (${kind === 'mount' ? 'a mount' : typeof value === 'function' ? 'a function' : 'an object'})`
}

/**
 * The API of a module: the export of this name; without one, `api`, else the default export, else the only record of endpoints.
 *
 * @throws Mistake when there is none, or no saying which.
 */
export function exportedApi({ name: module, exports }: Module, wanted?: string): Api {
  const all = Object.fromEntries(Object.entries(exports).filter(([name, value]) => name !== 'default' || !isWhole(value, exports)))
  const names = Object.keys(all).filter((name) => (operationsIn(all[name]) ?? 0) > 0)
  const usual = wanted === undefined ? [all['api'], all['default']] : [Object.hasOwn(exports, wanted) ? exports[wanted] : undefined]
  const found = usual.find(isApi)
  if (found !== undefined) return found
  if (wanted !== undefined) throw new Mistake(2, usage.noSuchApi(module, wanted, names))
  const [only, ...others] = names
  if (only === undefined) throw new Mistake(2, usage.noApi(module, Object.entries(all).map(described)))
  if (others.length > 0) throw new Mistake(2, usage.whichApi(module, names))
  // It was counted as one.
  return all[only] as Api
}
