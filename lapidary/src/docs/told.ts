/** What endpoints answer alike, to be told once: the refusals of the toolkit, and long errors that several declare in the same words. */
import type { Answer } from './answer.ts'
import type { Field } from './field.ts'
import type { Section } from './section.ts'

/** What is told once, and what is left to be told of each endpoint. */
export interface Told {
  /** By ascending status, one for each. */
  readonly once: readonly Answer[]
  /** The errors of an endpoint that are its own, and the statuses that it has of those told once, ascending. */
  readonly of: (section: Section) => { readonly own: readonly Answer[]; readonly statuses: readonly number[] }
}

const key = (value: unknown): string => JSON.stringify(value)
const same = (one: unknown, other: unknown): boolean => key(one) === key(other)

/** A header of refusals; a value that is not the same in all of them is left out. */
const agreed = (fields: readonly Field[]): readonly Field[] => {
  const [first, ...others] = fields
  if (first === undefined) return []
  return [others.every(({ examples }) => same(examples, first.examples)) ? first : { ...first, examples: [] }]
}

/** One refusal for each status, in place of those of the endpoints. */
function merged(refusals: readonly Answer[]): readonly Answer[] {
  const byStatus = new Map(refusals.map((refusal) => [refusal.status, refusal]))
  return [...byStatus.values()].map((refusal) => {
    const fields = refusals.filter(({ status }) => status === refusal.status).flatMap(({ headers }) => headers)
    const names = new Set(fields.map(({ name }) => name))
    return { ...refusal, headers: [...names].flatMap((name) => agreed(fields.filter((field) => field.name === name))) }
  })
}

/** An error that is more than a line: it has headers, or a body of its own. */
const isLong = ({ headers, encodings }: Answer): boolean => headers.length > 0 || encodings.length > 0

/** The long errors that more than one endpoint declares in the same words, where a status has but one of these. */
function declaredAlike(sections: readonly Section[]): readonly Answer[] {
  const counted = new Map<string, { readonly error: Answer; count: number }>()
  for (const { errors } of sections) {
    for (const error of errors.filter(isLong)) {
      const found = counted.get(key(error))
      if (found === undefined) counted.set(key(error), { error, count: 1 })
      else found.count += 1
    }
  }
  const alike = [...counted.values()].filter(({ count }) => count > 1).map(({ error }) => error)
  return alike.filter(({ status }) => alike.filter((error) => error.status === status).length === 1)
}

/** Sorts out what is told once of these endpoints. A status that is told once has one meaning. */
export function told(sections: readonly Section[]): Told {
  const refusals = merged(sections.flatMap((section) => section.refusals))
  const alike = declaredAlike(sections).filter((error) => refusals.every(({ status }) => status !== error.status))
  const isTold = (error: Answer): boolean => alike.some((one) => same(one, error))
  return {
    once: [...refusals, ...alike].toSorted((one, other) => one.status - other.status),
    of: (section) => {
      const once = [...section.refusals, ...section.errors.filter(isTold)].map(({ status }) => status)
      return {
        own: section.errors.filter((error) => !isTold(error)),
        statuses: [...new Set(once)].toSorted((one, other) => one - other),
      }
    },
  }
}
