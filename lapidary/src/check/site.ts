/** The API that is checked, as it stands at one base: its endpoints, and where links lead. */
import { type Api, walk } from '../describe/api.ts'
import type { Mount } from '../describe/mount.ts'
import { shapeOf } from '../describe/route.ts'
import type { Call } from '../generate/calls.ts'
import { addressBelow } from '../links/address.ts'
import { waysOf } from '../links/ways.ts'
import type { Subject } from './predicate.ts'

type Captures = Call['captures']

/** What a GET of a URL leads to. */
export interface Led {
  readonly subject: Subject
  readonly captures: Captures
}

/** One API at one base. */
export interface Site {
  /** The endpoints: those that only read first, those that remove last, so that there is something to see. */
  readonly subjects: readonly Subject[]
  readonly siblings: (subject: Subject) => ReadonlyMap<string, Subject>
  readonly leads: (url: string) => Led | undefined
  readonly isElsewhere: (target: string) => boolean
  readonly creators: (subject: Subject) => readonly Subject[]
}

const order = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const rank = ({ endpoint: { method } }: Subject): number => order.indexOf(method)

const placeOf = ({ endpoint: { segments } }: Subject): string => shapeOf(segments)

export function siteOf(api: Api, base: URL): Site {
  const walked = walk(api)
  const mounts = walked.flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [operation as Mount] : []))
  const subjects = walked
    .flatMap(({ name, operation }): readonly Subject[] => (operation['~kind'] === 'endpoint' ? [{ name, endpoint: operation }] : []))
    .toSorted((one, other) => rank(one) - rank(other))
  const places = new Map<string, Subject[]>()
  for (const subject of subjects) places.set(placeOf(subject), [...(places.get(placeOf(subject)) ?? []), subject])
  const siblings: Site['siblings'] = (subject) =>
    new Map((places.get(placeOf(subject)) ?? []).map((one) => [one.endpoint.method, one] as const))
  const ways = waysOf(api)
  const leads: Site['leads'] = (url) => {
    const address = addressBelow(base, url)
    const found = address && ways.find(address.path)
    const subject = subjects.find(({ endpoint }) => endpoint === found?.leaf.get('GET')?.endpoint)
    if (found === undefined || subject === undefined) return undefined
    return {
      subject,
      captures: Object.fromEntries(Object.keys(subject.endpoint.params).map((name, index) => [name, found.captures[index] ?? ''])),
    }
  }
  const isElsewhere: Site['isElsewhere'] = (target) =>
    ways.find(target) !== undefined ||
    mounts.some(({ prefix }) => target === prefix || target.startsWith(prefix === '/' ? '/' : `${prefix}/`))
  const creators: Site['creators'] = (subject) =>
    subjects.filter(
      ({ endpoint }) =>
        endpoint.method === 'POST' &&
        Object.keys(endpoint.response.headers).some((name) => name.toLowerCase() === 'location') &&
        placeOf(subject).startsWith(placeOf({ name: '', endpoint })),
    )
  return { subjects, siblings, leads, isElsewhere, creators }
}
