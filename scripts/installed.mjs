// Compares what npm has installed in a folder with what the lock file there names: by content, since a copy or a checkout has other times.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

function packagesOf(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {}
  } catch {
    return {} // None was written, or not to its end.
  }
}

/** Whether a list of systems, such as `["linux"]` or `["!win32"]`, has room for this one. */
const fits = (list, own) => list === undefined || (list.some((one) => one.startsWith('!')) ? !list.includes(`!${own}`) : list.includes(own))

/**
 * `complete`; `partial` where nothing is wrong and something is left to install; `different` where a package has another version, should not be there
 * or is made for another system. `omitsDev` does without what is there for development alone. Optional packages may be missing: most are for others.
 */
export function installed(folder, { omitsDev = false } = {}) {
  const { '': _, ...wanted } = packagesOf(join(folder, 'package-lock.json'))
  const found = packagesOf(join(folder, 'node_modules', '.package-lock.json'))
  const isRight = ([path, { version, integrity, os, cpu }]) =>
    wanted[path] !== undefined &&
    wanted[path].version === version &&
    wanted[path].integrity === integrity &&
    fits(os, process.platform) &&
    fits(cpu, process.arch)
  const present = Object.entries(found)
  if (present.length === 0 || !present.every(isRight)) return 'different'
  const mayMiss = ({ dev, optional, devOptional }) => optional || devOptional || (omitsDev && dev)
  return Object.entries(wanted).every(([path, entry]) => path in found || mayMiss(entry)) ? 'complete' : 'partial'
}
