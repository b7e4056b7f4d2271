/** Finds what a call is about: an endpoint by its name, by its route line, or by a method and a path; a mount by the latter. */
import { type AnyEndpoint, type Api, type Mount, type NamedOperation, operations, percentDecode } from 'lapidary'
import { createRouter, forEachPair, problemDetail } from 'lapidary/internal'
import * as usage from '../cliMessages.ts'
import { CliError } from '../context.ts'

/** A text that stands in a path for a capture or a query parameter; undefined for a parameter without `=`. */
export interface PathValue {
  readonly part: 'params' | 'query'
  readonly name: string
  readonly text: string | undefined
}

/** An endpoint that is meant, and what the path said to it. */
export interface EndpointTarget {
  readonly endpoint: AnyEndpoint
  /** That of the endpoint, or HEAD where GET is. */
  readonly method: string
  readonly pathValues: readonly PathValue[]
}

/** A path below a mount, as it was written. */
export interface MountTarget {
  readonly mount: Mount
  readonly method: string
  readonly path: string
}

/** What is meant. */
export interface Target {
  /** The keys that lead to it: `users.list`. */
  readonly name: string
  readonly target: EndpointTarget | MountTarget
  /** As it is to be written: `position`, `GET '/users?sortby=age'`. */
  readonly spelling: string
  /** The words behind it. */
  readonly rest: readonly string[]
}

const isEndpoint = (walked: NamedOperation): walked is NamedOperation & { readonly operation: AnyEndpoint } =>
  walked.operation['~kind'] === 'endpoint'

const listNames = (all: readonly NamedOperation[]): readonly string[] => all.map(({ name }) => name)

type FoundTarget = Pick<Target, 'name' | 'target'>

function findByName(api: Api, wanted: string): FoundTarget {
  const all = operations(api)
  const found = all.find(({ name }) => name === wanted)
  if (found === undefined) throw new CliError(2, usage.unknownEndpoint(wanted, listNames(all.filter(isEndpoint))))
  const { operation } = found
  if (operation['~kind'] === 'mount') throw new CliError(2, usage.mountNeedsPath(wanted, operation.prefix))
  return { name: wanted, target: { endpoint: operation, method: operation.method, pathValues: [] } }
}

/** What the query of a path says. @throws Mistake for a parameter that the endpoint does not declare. */
function parseQuery(search: string, { route, query }: AnyEndpoint): readonly PathValue[] {
  const told: PathValue[] = []
  const flaw = forEachPair(search, (name, text) => {
    if (!Object.hasOwn(query, name)) throw new CliError(2, usage.unknownQueryParameter(route, name, Object.keys(query)))
    told.push({ part: 'query', name, text })
  })
  if (flaw !== undefined) throw new CliError(2, problemDetail.badPath())
  return told
}

function findByPath(api: Api, method: string, written: string): FoundTarget {
  const all = operations(api)
  const endpoints = all.filter(isEndpoint)
  // The route line itself, `GET /users/:id`: the captures are then given by flags.
  const named = endpoints.find(({ operation }) => operation.route === `${method} ${written}`)
  if (named !== undefined) return { name: named.name, target: { endpoint: named.operation, method, pathValues: [] } }

  const [path = '', search = ''] = written.split(/\?(.*)/s, 2)
  if (percentDecode(path) === undefined) throw new CliError(2, problemDetail.badPath())
  const paths = createRouter<(typeof endpoints)[number][]>()
  for (const walked of endpoints) paths.getOrInsert(walked.operation.segments, () => []).push(walked)
  const found = paths.find(path)
  const walked = found?.leaf.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method))
  if (walked !== undefined) {
    const { name, operation: endpoint } = walked
    const captures = Object.keys(endpoint.params).map(
      (key, index): PathValue => ({ part: 'params', name: key, text: found?.captures[index] }),
    )
    return { name, target: { endpoint, method, pathValues: [...captures, ...parseQuery(search, endpoint)] } }
  }

  const prefixes = createRouter<FoundTarget>()
  for (const { name, operation } of all)
    if (operation['~kind'] === 'mount')
      prefixes.getOrInsert(operation.segments, () => ({ name, target: { mount: operation, method, path: written } }))
  const below = prefixes.findPrefix(path)?.leaf
  if (below !== undefined) return below
  const methods = found?.leaf.map(({ operation }) => operation.method)
  throw new CliError(2, methods === undefined ? usage.unknownRoute(method, path) : usage.methodNotOffered(method, path, methods))
}

/** A word as a shell takes it. */
const quoteWord = (word: string): string => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** What these words mean. @throws Mistake when they mean nothing. */
export function findTarget(api: Api, words: readonly string[]): Target {
  const [first = '', second = ''] = words
  if (!second.startsWith('/')) return { ...findByName(api, first), spelling: quoteWord(first), rest: words.slice(1) }
  const method = first.toUpperCase()
  return { ...findByPath(api, method, second), spelling: `${method} ${quoteWord(second)}`, rest: words.slice(2) }
}
