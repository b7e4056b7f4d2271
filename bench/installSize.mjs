/** What `npm install` of some packages alone brings: how many packages, and how much of the disk. Computed from the lock file, measured on the disk. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ dependencies?: object, optionalDependencies?: object, peerDependencies?: object, peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry */

const readJson = (/** @type {string} */ path) => JSON.parse(readFileSync(path, 'utf8'))
const root = fileURLToPath(new URL('..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** The published files of the package `lapidary`. */
const publishedFiles = ['dist', 'src', 'package.json', 'README.md', 'LICENSE'].map((name) => join(root, 'packages/lapidary', name))

/** What a path takes on the disk with all that is below it, as `du` counts, in bytes; other packages excepted. @param {string} path @returns {number} */
function countBytes(path) {
  if (!existsSync(path)) return 0
  const found = lstatSync(path)
  const own = 512 * found.blocks
  if (!found.isDirectory()) return own
  const names = readdirSync(path).filter((name) => name !== 'node_modules' && name !== '.tsbuildinfo')
  return names.reduce((total, name) => total + countBytes(join(path, name)), own)
}

/** What npm installs for an entry: its dependencies, and its peers that are not optional. @param {Entry} entry */
const listDependencies = ({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) => [
  ...Object.keys({ ...dependencies, ...optionalDependencies }),
  ...Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true),
]

/** Where `name` is found from the package at `path`: there, or in a folder above it. */
function findPlace(packages, path, name) {
  for (let above = path; ; above = above.slice(0, Math.max(0, above.lastIndexOf('/node_modules/')))) {
    const place = `${above === '' ? '' : `${above}/`}node_modules/${name}`
    if (Object.hasOwn(packages, place)) return place
    if (above === '') return undefined
  }
}

/** Adds the folders of these packages and their dependencies to `places`. */
function addPackages(folder, packages, names, places) {
  const pending = names.map((name) => ({ from: '', name }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const place = findPlace(packages, next.from, next.name)
    const full = place === undefined ? undefined : join(folder, place)
    // What is for other machines is in the lock file, and not on the disk.
    if (place === undefined || full === undefined || places.has(full) || !existsSync(full)) continue
    places.add(full)
    pending.push(...listDependencies(packages[place]).map((name) => ({ from: place, name })))
  }
}

/**
 * @param {readonly string[]} names
 * @returns {{ packages: number, bytes: number }}
 */
export function measureInstallSize(names) {
  /** @type {Set<string>} */
  const places = new Set()
  const others = names.filter((name) => name !== 'lapidary')
  addPackages(here, readJson(join(here, 'package-lock.json')).packages, others, places)
  if (!names.includes('lapidary'))
    return { packages: places.size, bytes: [...places].reduce((total, place) => total + countBytes(place), 0) }
  const { packages } = readJson(join(root, 'package-lock.json'))
  addPackages(root, packages, Object.keys(packages['packages/lapidary'].dependencies), places)
  return { packages: places.size + 1, bytes: [...places, ...publishedFiles].reduce((total, place) => total + countBytes(place), 0) }
}
