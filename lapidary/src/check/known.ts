/** What is known to be there, since an answer has shown it or linked to it. */
import type { Call } from '../generate/calls.ts'
import type { EndpointUnderTest } from './predicate.ts'
import type { EndpointIndex } from './site.ts'

type KnownCaptures = Call['captures']

/** So many of each endpoint are remembered, the latest of them. */
export const maxKnownCaptures = 20

/** The captures of what is there, by endpoint. */
export interface KnownIds {
  /** A URL has been answered, or is where something was created. */
  readonly add: (url: string) => void
  /** The latest first. */
  readonly list: (subject: EndpointUnderTest) => readonly KnownCaptures[]
  /** A call with the captures of something that is there, for every other number. */
  readonly reuseCaptures: (subject: EndpointUnderTest, call: Call, number: number) => Call
}

/** Nothing yet. */
export function createKnownIds(site: EndpointIndex): KnownIds {
  const known = new Map<string, KnownCaptures[]>()
  const of: KnownIds['list'] = ({ name }) => known.get(name) ?? []
  return {
    list: of,
    add: (url) => {
      const led = site.resolveUrl(url)
      if (led === undefined || Object.keys(led.captures).length === 0) return
      const others = of(led.subject).filter((one) => JSON.stringify(one) !== JSON.stringify(led.captures))
      known.set(led.subject.name, [led.captures, ...others].slice(0, maxKnownCaptures))
    },
    reuseCaptures: (subject, call, number) => {
      const get = site.getSiblings(subject).get('GET')
      const list = get === undefined ? [] : of(get)
      const captures = number % 2 === 0 ? undefined : list[number % Math.max(1, list.length)]
      return captures === undefined ? call : { ...call, captures: { ...call.captures, ...captures } }
    },
  }
}
