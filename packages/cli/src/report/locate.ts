/** Finds the line of an endpoint in the file that describes it, without reading the language of the file. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { FileLocation } from './report.ts'

/** The endpoint that is looked for. */
export interface LocatedEndpoint {
  /** The keys that lead to it: `users.item`. */
  readonly name: string
  /** Its route, if it has one: `GET /users/:id`. */
  readonly route: string | undefined
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

const getIndent = (line: string): number => line.search(/\S|$/)

/** The line of an operation in an OpenAPI document: its method, below its path. -1: there is none. */
function findOperationLine(lines: readonly string[], route: string): number {
  const [method = '', path = ''] = route.split(' ')
  // The names of captures may differ, as `{id}` and `:id` do.
  const steps = path.split('/').map((step) => (/^[:*]/.test(step) ? '\\{[^}/]+\\}' : escapePattern(step)))
  // The path may follow that of a server.
  for (let first = 0; first < steps.length; first += 1) {
    const pattern = new RegExp(`^\\s*["']?/?${steps.slice(first).join('/')}/?["']?\\s*:`)
    const isWhole = first === 0
    const start = isWhole || steps.slice(first).join('') !== '' ? lines.findIndex((line) => pattern.test(line)) : -1
    if (start < 0) continue
    const methodPattern = new RegExp(`^\\s*["']?${escapePattern(method)}["']?\\s*:`, 'i')
    const indent = getIndent(lines[start] ?? '')
    for (let index = start + 1; index < lines.length; index += 1) {
      const line = lines[index] ?? ''
      if (methodPattern.test(line)) return index
      if (line.trim() !== '' && getIndent(line) <= indent) break
    }
    return start
  }
  return -1
}

/** The line of an endpoint in a module, where the path may follow those of groups: `item: endpoint('GET /:id'`. -1: there is none. */
function findEndpointLine(lines: readonly string[], { name, route }: LocatedEndpoint): number {
  const member =
    name
      .replace(/^webhook /, '')
      .split('.')
      .at(-1) ?? name
  const memberPattern = new RegExp(`(?:^|[^\\w$])["']?${escapePattern(member)}["']?\\s*:`)
  const [method = '', path = ''] = route?.split(' ') ?? []
  const steps = path.split('/')
  for (let first = 1; route !== undefined && first <= steps.length; first += 1) {
    const text = `${method} /${steps.slice(first).join('/')}`
    const found = [...lines.keys()].filter((index) => [`'`, '"', '`'].some((quote) => lines[index]?.includes(quote + text + quote)))
    const named = found.find((index) => memberPattern.test(lines[index] ?? ''))
    if (named !== undefined || found.length === 1) return named ?? found[0] ?? -1
  }
  return lines.findIndex((line) => memberPattern.test(line))
}

/**
 * Finds the line of an endpoint.
 *
 * @param text the content of a module, or of an OpenAPI document
 * @returns its number, from 1; 1 where it is not found, as one that has been removed
 */
export function locateEndpoint(text: string, isDocument: boolean, endpoint: LocatedEndpoint): number {
  const lines = text.split('\n')
  const found = isDocument && endpoint.route !== undefined ? findOperationLine(lines, endpoint.route) : findEndpointLine(lines, endpoint)
  return Math.max(found, 0) + 1
}

/** Finds the place of an endpoint in the description. */
export type Locate = (name: string, route: string | undefined) => FileLocation

/** The root of the repository of a folder: where `.git` is; undefined where it is in none. */
function findRepositoryRoot(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findRepositoryRoot(dirname(folder))
}

/**
 * Creates a function that finds endpoints in a file.
 *
 * @param cwd the folder of the command
 * @param shownPath the path in the report; the default is the path from the root of the repository, or from the folder of the command
 */
export function createLocator(path: string, cwd: string, shownPath?: string): Locate {
  const text = readFileSync(path, 'utf8')
  const file =
    shownPath ??
    relative(findRepositoryRoot(dirname(path)) ?? cwd, path)
      .split(sep)
      .join('/')
  const isDocument = /\.(?:ya?ml|json)$/i.test(path)
  return (name, route) => ({ file, line: locateEndpoint(text, isDocument, { name, route }) })
}
