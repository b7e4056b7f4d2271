/**
 * Responses that endpoints share, so that a document shows each once: errors of the toolkit, and long errors that several endpoints declare
 * identically.
 */
import { isSameJson } from '../json-schema/jsonSchema.ts'
import type { DocumentedResponse, Field, Section } from './section.ts'

/** The shared responses, and the rest of each endpoint. */
export interface SharedResponses {
  /** By ascending status, one for each. */
  readonly shared: readonly DocumentedResponse[]
  /** The own errors of an endpoint, and the statuses of its shared ones in ascending order. */
  readonly forSection: (section: Section) => { readonly own: readonly DocumentedResponse[]; readonly statuses: readonly number[] }
}

/** One header in place of those of several responses. A value on which they disagree is left out. */
const mergeField = (fields: readonly Field[]): readonly Field[] => {
  const [first, ...others] = fields
  if (first === undefined) return []
  return [others.every(({ examples }) => isSameJson(examples, first.examples)) ? first : { ...first, examples: [] }]
}

/** One error for each status. */
function mergeBuiltInErrors(errors: readonly DocumentedResponse[]): readonly DocumentedResponse[] {
  const byStatus = new Map(errors.map((error) => [error.status, error]))
  return [...byStatus.values()].map((error) => {
    const fields = errors.filter(({ status }) => status === error.status).flatMap(({ headers }) => headers)
    const names = new Set(fields.map(({ name }) => name))
    return { ...error, headers: [...names].flatMap((name) => mergeField(fields.filter((field) => field.name === name))) }
  })
}

/** Whether an error needs more than a line: it has headers, or its own body. */
const hasDetails = ({ headers, encodings }: DocumentedResponse): boolean => headers.length > 0 || encodings.length > 0

/** The long errors that several endpoints declare identically, where a status has only one of them. */
function findSharedErrors(sections: readonly Section[]): readonly DocumentedResponse[] {
  const counts = new Map<string, { readonly error: DocumentedResponse; count: number }>()
  for (const { errors } of sections) {
    for (const error of errors.filter(hasDetails)) {
      const key = JSON.stringify(error)
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { error, count: 1 })
      else found.count += 1
    }
  }
  const repeated = [...counts.values()].filter(({ count }) => count > 1).map(({ error }) => error)
  return repeated.filter(({ status }) => repeated.filter((error) => error.status === status).length === 1)
}

/** Finds the shared responses of all sections. A shared status has one meaning. */
export function findSharedResponses(sections: readonly Section[]): SharedResponses {
  const builtIn = mergeBuiltInErrors(sections.flatMap((section) => section.builtInErrors))
  const declared = findSharedErrors(sections).filter((error) => builtIn.every(({ status }) => status !== error.status))
  const isShared = (error: DocumentedResponse): boolean => declared.some((one) => isSameJson(one, error))
  return {
    shared: [...builtIn, ...declared].toSorted((one, other) => one.status - other.status),
    forSection: (section) => {
      const statuses = [...section.builtInErrors, ...section.errors.filter(isShared)].map(({ status }) => status)
      return {
        own: section.errors.filter((error) => !isShared(error)),
        statuses: [...new Set(statuses)].toSorted((one, other) => one - other),
      }
    },
  }
}
