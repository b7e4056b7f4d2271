/** What the package of a module says of itself. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A package.json, as far as it matters here. */
export interface PackageInfo {
  readonly name: string
  /** `0.0.0` where it has none. */
  readonly version: string
}

function readPackage(folder: string): PackageInfo | undefined {
  let found: unknown
  try {
    found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return undefined
  }
  const { name, version } = Object(found) as Readonly<Record<string, unknown>>
  // One without a name only says how its folder is to be loaded.
  return typeof name === 'string' ? { name, version: typeof version === 'string' ? version : '0.0.0' } : undefined
}

/** The nearest package.json with a name, beside the file or above it; undefined where there is none. */
export function findPackage(path: string): PackageInfo | undefined {
  const folder = dirname(path)
  if (folder === path) return undefined
  return readPackage(folder) ?? findPackage(folder)
}
