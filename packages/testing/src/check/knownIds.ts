/** The captures of resources that exist: a check uses them again, so that not every one of its requests is 404. */
import { type Call, type Captures, type ExistingCaptures, selectCaptures } from '../generate/calls.ts'
import type { EndpointIndex } from './endpointIndex.ts'
import type { EndpointUnderTest } from './rule.ts'

/** The number of captures that are remembered for each endpoint. */
export const maxKnownCaptures = 20

/** The captures of resources that exist, by endpoint. */
export interface KnownIds {
  /** Remembers a URL that has responded, or that is the Location of a new resource. */
  readonly add: (url: string) => void
  /** Lists the captures of an endpoint, the latest first. */
  readonly list: (subject: EndpointUnderTest) => readonly Captures[]
  /** Puts captures of an existing resource into a call, for every odd number. */
  readonly reuseCaptures: (subject: EndpointUnderTest, call: Call, number: number) => Call
}

export function createKnownIds(index: EndpointIndex, existing: ExistingCaptures): KnownIds {
  const known = new Map<string, Captures[]>()
  const list: KnownIds['list'] = ({ name }) => known.get(name) ?? []
  return {
    list,
    add: (url) => {
      const resolved = index.resolveUrl(url)
      if (resolved === undefined || Object.keys(resolved.captures).length === 0) return
      const { subject, captures } = resolved
      const selected = selectCaptures(subject.endpoint, existing)
      if (Object.entries(selected).some(([name, texts]) => !texts.includes(captures[name] ?? ''))) return
      const others = list(subject).filter((other) => JSON.stringify(other) !== JSON.stringify(captures))
      known.set(subject.name, [captures, ...others].slice(0, maxKnownCaptures))
    },
    reuseCaptures: (subject, call, number) => {
      const get = index.getSiblings(subject).get('GET')
      const all = get === undefined ? [] : list(get)
      const captures = number % 2 === 0 ? undefined : all[number % Math.max(1, all.length)]
      return captures === undefined ? call : { ...call, captures: { ...call.captures, ...captures } }
    },
  }
}
