/** What is known to be there, since an answer has shown it or linked to it. */
import type { Call } from '../generate/calls.ts'
import type { Subject } from './predicate.ts'
import type { Site } from './site.ts'

type Captures = Call['captures']

/** So many of each endpoint are remembered, the latest of them. */
export const mostKnown = 20

/** The captures of what is there, by endpoint. */
export interface Known {
  /** A URL has been answered, or is where something was created. */
  readonly learn: (url: string) => void
  /** The latest first. */
  readonly of: (subject: Subject) => readonly Captures[]
  /** A call with the captures of something that is there, for every other number. */
  readonly there: (subject: Subject, call: Call, number: number) => Call
}

/** Nothing yet. */
export function knownIn(site: Site): Known {
  const known = new Map<string, Captures[]>()
  const of: Known['of'] = ({ name }) => known.get(name) ?? []
  return {
    of,
    learn: (url) => {
      const led = site.leads(url)
      if (led === undefined || Object.keys(led.captures).length === 0) return
      const others = of(led.subject).filter((one) => JSON.stringify(one) !== JSON.stringify(led.captures))
      known.set(led.subject.name, [led.captures, ...others].slice(0, mostKnown))
    },
    there: (subject, call, number) => {
      const get = site.siblings(subject).get('GET')
      const list = get === undefined ? [] : of(get)
      const captures = number % 2 === 0 ? undefined : list[number % Math.max(1, list.length)]
      return captures === undefined ? call : { ...call, captures: { ...call.captures, ...captures } }
    },
  }
}
