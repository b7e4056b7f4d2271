/** Finds what a call is about: an endpoint by its name, by its route line, or by a method and a path; a mount by the latter. */
import { type Api, type Walked, walk } from '../../describe/api.ts'
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import { answer } from '../../describe/message.ts'
import type { Mount } from '../../describe/mount.ts'
import { eachPair, percentDecoded } from '../../describe/percent.ts'
import { router } from '../../describe/router.ts'
import * as usage from '../../describe/usage.ts'
import { Mistake } from '../mistake.ts'

/** A text that stands in a path for a capture or a query parameter; undefined for a parameter without `=`. */
export interface Told {
  readonly part: 'params' | 'query'
  readonly name: string
  readonly text: string | undefined
}

/** An endpoint that is meant, and what the path said to it. */
export interface EndpointTarget {
  readonly endpoint: AnyEndpoint
  /** That of the endpoint, or HEAD where GET is. */
  readonly method: string
  readonly told: readonly Told[]
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

const isEndpoint = (walked: Walked): walked is Walked & { readonly operation: AnyEndpoint } => walked.operation['~kind'] === 'endpoint'

const namesOf = (all: readonly Walked[]): readonly string[] => all.map(({ name }) => name)

type Found = Pick<Target, 'name' | 'target'>

function byName(api: Api, wanted: string): Found {
  const all = walk(api)
  const found = all.find(({ name }) => name === wanted)
  if (found === undefined) throw new Mistake(2, usage.noSuchEndpoint(wanted, namesOf(all.filter(isEndpoint))))
  const { operation } = found
  if (operation['~kind'] === 'mount') throw new Mistake(2, usage.mountByName(wanted, operation.prefix))
  return { name: wanted, target: { endpoint: operation, method: operation.method, told: [] } }
}

/** What the query of a path says. @throws Mistake for a parameter that the endpoint does not declare. */
function queryIn(search: string, { route, query }: AnyEndpoint): readonly Told[] {
  const told: Told[] = []
  const flaw = eachPair(search, (name, text) => {
    if (!Object.hasOwn(query, name)) throw new Mistake(2, usage.undeclaredQuery(route, name, Object.keys(query)))
    told.push({ part: 'query', name, text })
  })
  if (flaw !== undefined) throw new Mistake(2, answer.badPath())
  return told
}

function byPath(api: Api, method: string, written: string): Found {
  const all = walk(api)
  const endpoints = all.filter(isEndpoint)
  // The route line itself, `GET /users/:id`: the captures are then given by flags.
  const named = endpoints.find(({ operation }) => operation.route === `${method} ${written}`)
  if (named !== undefined) return { name: named.name, target: { endpoint: named.operation, method, told: [] } }

  const [path = '', search = ''] = written.split(/\?(.*)/s, 2)
  if (percentDecoded(path) === undefined) throw new Mistake(2, answer.badPath())
  const paths = router<(typeof endpoints)[number][]>()
  for (const walked of endpoints) paths.at(walked.operation.segments, () => []).push(walked)
  const found = paths.find(path)
  const walked = found?.leaf.find(({ operation }) => operation.method === (method === 'HEAD' ? 'GET' : method))
  if (walked !== undefined) {
    const { name, operation: endpoint } = walked
    const captures = Object.keys(endpoint.params).map((key, index): Told => ({ part: 'params', name: key, text: found?.captures[index] }))
    return { name, target: { endpoint, method, told: [...captures, ...queryIn(search, endpoint)] } }
  }

  const prefixes = router<Found>()
  for (const { name, operation } of all)
    if (operation['~kind'] === 'mount')
      prefixes.at(operation.segments, () => ({ name, target: { mount: operation, method, path: written } }))
  const below = prefixes.findPrefix(path)?.leaf
  if (below !== undefined) return below
  const methods = found?.leaf.map(({ operation }) => operation.method)
  throw new Mistake(2, methods === undefined ? usage.noSuchRoute(method, path) : usage.wrongMethod(method, path, methods))
}

/** A word as a shell takes it. */
const quoted = (word: string): string => (/^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)

/** What these words mean. @throws Mistake when they mean nothing. */
export function targetOf(api: Api, words: readonly string[]): Target {
  const [first = '', second = ''] = words
  if (!second.startsWith('/')) return { ...byName(api, first), spelling: quoted(first), rest: words.slice(1) }
  const method = first.toUpperCase()
  return { ...byPath(api, method, second), spelling: `${method} ${quoted(second)}`, rest: words.slice(2) }
}
