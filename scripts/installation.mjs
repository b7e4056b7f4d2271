// Compares the installed packages of a folder with its lock file. It compares contents, since a copy or a checkout has other times.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages ?? {}
  } catch {
    return {} // The file is missing or incomplete.
  }
}

/** Whether a list of systems, such as `["linux"]` or `["!win32"]`, includes this one. */
const includesSystem = (list, own) =>
  list === undefined || (list.some((one) => one.startsWith('!')) ? !list.includes(`!${own}`) : list.includes(own))

/**
 * Returns `complete`, `partial` where packages are only missing, or `different` where a package has another version, is not in the lock file, or is made
 * for another system. `omitsDev` ignores missing development packages. Optional packages may be missing: most are for other systems.
 */
export function checkInstallation(folder, { omitsDev = false } = {}) {
  const { '': _, ...expected } = readPackages(join(folder, 'package-lock.json'))
  const found = readPackages(join(folder, 'node_modules', '.package-lock.json'))
  const isRight = ([path, { version, integrity, os, cpu }]) =>
    expected[path] !== undefined &&
    expected[path].version === version &&
    expected[path].integrity === integrity &&
    includesSystem(os, process.platform) &&
    includesSystem(cpu, process.arch)
  const present = Object.entries(found)
  if (present.length === 0 || !present.every(isRight)) return 'different'
  const mayMiss = ({ dev, optional, devOptional }) => optional || devOptional || (omitsDev && dev)
  return Object.entries(expected).every(([path, entry]) => path in found || mayMiss(entry)) ? 'complete' : 'partial'
}
