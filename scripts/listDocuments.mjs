/** The OpenAPI documents of a folder. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a text is a document: its version stands at its begin, or anywhere in JSON. */
const versionPattern = /^["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\.\d|^\s*\{[\s\S]*"(?:openapi|swagger)"\s*:\s*"[23]\.\d/m

/** The paths of the documents, sorted. @param {string} folder @returns {readonly string[]} */
export const listDocuments = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:ya?ml|json)$/i.test(path) && !path.includes('node_modules'))
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile() && versionPattern.test(readFileSync(path, 'utf8')))
    .sort()

/** Parts of a list, each of so many items. @template Item @param {readonly Item[]} items @param {number} size */
export const toBatches = (items, size) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
