/** The API that is checked, as it stands at one base: its endpoints, and where links lead. */
import { type Api, type Mount, operations } from 'lapidary'
import { getApiIndex, getPathShape, resolveUrl } from 'lapidary/internal'
import type { Call } from '../generate/calls.ts'
import type { EndpointUnderTest } from './rule.ts'

type RouteCaptures = Call['captures']

/** What a GET of a URL leads to. */
export interface ResolvedUrl {
  readonly subject: EndpointUnderTest
  readonly captures: RouteCaptures
}

/** One API at one base. */
export interface EndpointIndex {
  /** The endpoints: those that only read first, those that remove last, so that there is something to see. */
  readonly endpoints: readonly EndpointUnderTest[]
  readonly getSiblings: (subject: EndpointUnderTest) => ReadonlyMap<string, EndpointUnderTest>
  readonly resolveUrl: (url: string) => ResolvedUrl | undefined
  readonly isServedElsewhere: (target: string) => boolean
  readonly findCreators: (subject: EndpointUnderTest) => readonly EndpointUnderTest[]
}

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const getMethodRank = ({ endpoint: { method } }: EndpointUnderTest): number => methodOrder.indexOf(method)

const getSubjectPath = ({ endpoint: { segments } }: EndpointUnderTest): string => getPathShape(segments)

export function createEndpointIndex(api: Api, base: URL): EndpointIndex {
  const walked = operations(api)
  const mounts = walked.flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [operation as Mount] : []))
  const subjects = walked
    .flatMap(({ name, operation }): readonly EndpointUnderTest[] =>
      operation['~kind'] === 'endpoint' ? [{ name, endpoint: operation }] : [],
    )
    .toSorted((one, other) => getMethodRank(one) - getMethodRank(other))
  const places = new Map<string, EndpointUnderTest[]>()
  for (const subject of subjects) places.set(getSubjectPath(subject), [...(places.get(getSubjectPath(subject)) ?? []), subject])
  const siblings: EndpointIndex['getSiblings'] = (subject) =>
    new Map((places.get(getSubjectPath(subject)) ?? []).map((one) => [one.endpoint.method, one] as const))
  const { paths } = getApiIndex(api)
  const leads: EndpointIndex['resolveUrl'] = (url) => {
    const address = resolveUrl(base, url)
    const found = address && paths.find(address.path)
    const subject = subjects.find(({ endpoint }) => endpoint === found?.leaf.entries.get('GET')?.endpoint)
    if (found === undefined || subject === undefined) return undefined
    return {
      subject,
      captures: Object.fromEntries(Object.keys(subject.endpoint.params).map((name, index) => [name, found.captures[index] ?? ''])),
    }
  }
  const isElsewhere: EndpointIndex['isServedElsewhere'] = (target) =>
    paths.find(target) !== undefined ||
    mounts.some(({ prefix }) => target === prefix || target.startsWith(prefix === '/' ? '/' : `${prefix}/`))
  const creators: EndpointIndex['findCreators'] = (subject) =>
    subjects.filter(
      ({ endpoint }) =>
        endpoint.method === 'POST' &&
        Object.keys(endpoint.response.headers).some((name) => name.toLowerCase() === 'location') &&
        getSubjectPath(subject).startsWith(getSubjectPath({ name: '', endpoint })),
    )
  return { endpoints: subjects, getSiblings: siblings, resolveUrl: leads, isServedElsewhere: isElsewhere, findCreators: creators }
}
