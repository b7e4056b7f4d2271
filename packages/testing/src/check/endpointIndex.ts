/** The endpoints of the checked API, in the order of the check, and the lookup of URLs. */
import { type Api, operations } from 'lapidary'
import { getApiIndex, getPathShape, isMount, resolveUrl } from 'lapidary/internal'
import type { EndpointUnderTest, ResolvedUrl } from './rule.ts'

/** The endpoints of an API at one base URL. */
export interface EndpointIndex {
  /** The endpoints: those that read come first and those that delete come last, so that there is something to read. */
  readonly endpoints: readonly EndpointUnderTest[]
  /** The endpoints at the path of the subject, by method. */
  readonly getSiblings: (subject: EndpointUnderTest) => ReadonlyMap<string, EndpointUnderTest>
  readonly resolveUrl: (url: string) => ResolvedUrl | undefined
  /** The path of a URL of the API; `undefined` for one of another server. */
  readonly toPath: (url: string) => string | undefined
  /** The URL of a Location, which may be relative to the target of its request (RFC 9110 §10.2.2). */
  readonly resolveLocation: (location: string, target: string) => string
  /** Finds the endpoint of a method at a path. */
  readonly findAt: (method: string, path: string) => EndpointUnderTest | undefined
  /** Whether a request to a target gets to the subject. Another endpoint may take precedence at its path. */
  readonly isReachedBy: (subject: EndpointUnderTest, target: string) => boolean
  readonly isServedElsewhere: (target: string) => boolean
  readonly findCreators: (subject: EndpointUnderTest) => readonly EndpointUnderTest[]
}

const methodOrder = ['GET', 'QUERY', 'POST', 'PUT', 'PATCH', 'DELETE']
/** Other methods stand before DELETE. */
const getMethodRank = ({ endpoint: { method } }: EndpointUnderTest): number =>
  methodOrder.includes(method) ? methodOrder.indexOf(method) : methodOrder.length - 1.5

const getSubjectPath = ({ endpoint: { segments } }: EndpointUnderTest): string => getPathShape(segments)

/** Whether an endpoint creates something and returns its Location. */
export const isCreator = ({ method, response }: EndpointUnderTest['endpoint']): boolean =>
  method === 'POST' && Object.keys(response.headers).some((name) => name.toLowerCase() === 'location')

/** Indexes an API that is served at `base`. */
export function createEndpointIndex(api: Api, base: URL): EndpointIndex {
  const endpoints = operations(api)
    .flatMap(({ name, operation }): readonly EndpointUnderTest[] => (isMount(operation) ? [] : [{ name, endpoint: operation }]))
    .toSorted((a, b) => getMethodRank(a) - getMethodRank(b))
  const byPath = new Map<string, EndpointUnderTest[]>()
  for (const subject of endpoints) byPath.set(getSubjectPath(subject), [...(byPath.get(getSubjectPath(subject)) ?? []), subject])
  const { paths, mounts } = getApiIndex(api)
  return {
    endpoints,
    getSiblings: (subject) => new Map(byPath.get(getSubjectPath(subject))?.map((sibling) => [sibling.endpoint.method, sibling] as const)),
    resolveUrl: (url) => {
      const address = resolveUrl(base, url)
      const found = address && paths.find(address.path)
      const subject = endpoints.find(({ endpoint }) => endpoint === found?.leaf.entries.get('GET')?.endpoint)
      // No call has a rest that the server refuses.
      if (found === undefined || subject === undefined || found.captures.includes(undefined)) return undefined
      const names = Object.keys(subject.endpoint.params)
      return { subject, captures: Object.fromEntries(names.map((name, position) => [name, found.captures[position] ?? ''])) }
    },
    toPath: (url) => resolveUrl(base, url)?.path,
    resolveLocation: (location, target) => {
      const own = base.href.replace(/\/+$/, '') + target
      // A path below the origin stays as it was sent.
      return location.startsWith('/') || !URL.canParse(location, own) ? location : new URL(location, own).href
    },
    findAt: (method, path) => {
      const found = paths.find(path)?.leaf.entries.get(method)?.endpoint
      return endpoints.find(({ endpoint }) => endpoint === found)
    },
    isReachedBy: ({ endpoint }, target) =>
      paths.find(target.replace(/\?.*/s, ''))?.leaf.entries.get(endpoint.method)?.endpoint === endpoint,
    isServedElsewhere: (target) => paths.find(target) !== undefined || mounts.findPrefix(target) !== undefined,
    findCreators: (subject) =>
      endpoints.filter((other) => isCreator(other.endpoint) && getSubjectPath(subject).startsWith(getSubjectPath(other))),
  }
}
