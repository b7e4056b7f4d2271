/** Finds the line of an endpoint in the file that describes it, without reading the language of the file. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { escapeRegExp } from 'lapidary/internal'
import type { FileLocation } from './report.ts'

/** The endpoint that is looked for. */
export interface LocatedEndpoint {
  /** The keys that lead to it: `users.item`. */
  readonly name: string
  /** Its route, if it has one: `GET /users/:id`. */
  readonly route: string | undefined
}

const getIndent = (line: string): number => line.search(/\S|$/)

/** Finds the line of an endpoint, from 0; -1: there is none. */
type FindLine = (endpoint: LocatedEndpoint) => number

/** A path without the names of its captures, which may differ, as `{id}` and `:id` do, and without the slashes around it. */
const toPathKey = (path: string): string =>
  path
    .split('/')
    .map((step) => step.replace(/^[:*].*$|\{[^}]+\}/g, '{}'))
    .join('/')
    .replace(/^\/|\/$/g, '')

/** The key of a line of JSON or YAML, if it is a path. */
const pathLinePattern = /^\s*(?:(["'])(?<quoted>\/.*?)\1|(?<plain>\/.*?))\s*:(?:\s|$)/

/** Indexes the paths of an OpenAPI document, and finds in it the line of a method below its path. */
function createOperationFinder(lines: readonly string[]): (route: string) => number {
  const pathLines = new Map<string, number>()
  for (const [index, line] of lines.entries()) {
    const { quoted, plain } = pathLinePattern.exec(line)?.groups ?? {}
    const key = quoted ?? plain
    if (key !== undefined && !pathLines.has(toPathKey(key))) pathLines.set(toPathKey(key), index)
  }
  return (route) => {
    const [method = '', path = ''] = route.split(' ')
    const steps = toPathKey(path).split('/')
    // The path may follow that of a server.
    const start = steps.map((_, first) => pathLines.get(steps.slice(first).join('/'))).find((line) => line !== undefined)
    if (start === undefined) return -1
    const methodPattern = new RegExp(`^\\s*["']?${escapeRegExp(method)}["']?\\s*:`, 'i')
    const indent = getIndent(lines[start] ?? '')
    for (let index = start + 1; index < lines.length; index += 1) {
      const line = lines[index] ?? ''
      if (methodPattern.test(line)) return index
      if (line.trim() !== '' && getIndent(line) <= indent) break
    }
    return start
  }
}

/** Indexes the routes of a module, and finds in it the line of an endpoint. The path may follow those of groups: `item: endpoint('GET /:id'`. */
function createEndpointFinder(lines: readonly string[]): FindLine {
  const routeLines = new Map<string, number[]>()
  for (const [index, line] of lines.entries())
    for (const [, , route = ''] of line.matchAll(/(["'`])(\w+ \/[^"'`]*)\1/g))
      routeLines.set(route, [...(routeLines.get(route) ?? []), index])
  return ({ name, route }) => {
    const member =
      name
        .replace(/^webhook /, '')
        .split('.')
        .at(-1) ?? name
    const memberPattern = new RegExp(`(?:^|[^\\w$])["']?${escapeRegExp(member)}["']?\\s*:`)
    const [method = '', path = ''] = route?.split(' ') ?? []
    const steps = path.split('/')
    for (let first = 1; route !== undefined && first <= steps.length; first += 1) {
      const found = routeLines.get(`${method} /${steps.slice(first).join('/')}`) ?? []
      const named = found.find((index) => memberPattern.test(lines[index] ?? ''))
      if (named !== undefined || found.length === 1) return named ?? found[0] ?? -1
    }
    return lines.findIndex((line) => memberPattern.test(line))
  }
}

/**
 * Creates a function that finds the line of an endpoint. It reads the text once, and looks for each endpoint once.
 *
 * @param text the content of a module, or of an OpenAPI document
 * @returns a function that returns the number of the line, from 1; 1 where it is not found, as one that has been removed
 */
export function createLineFinder(text: string, isDocument: boolean): FindLine {
  const lines = text.split('\n')
  const findEndpoint = createEndpointFinder(lines)
  const findOperation = isDocument ? createOperationFinder(lines) : undefined
  const known = new Map<string, number>()
  return (endpoint) => {
    const { name, route } = endpoint
    const key = JSON.stringify([name, route])
    const index = known.get(key) ?? (findOperation !== undefined && route !== undefined ? findOperation(route) : findEndpoint(endpoint))
    known.set(key, index)
    return Math.max(index, 0) + 1
  }
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
  const findLine = createLineFinder(text, /\.(?:ya?ml|json)$/i.test(path))
  return (name, route) => ({ file, line: findLine({ name, route }) })
}
