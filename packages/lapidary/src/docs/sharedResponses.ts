/**
 * Responses that endpoints share, so that a document shows each once: errors of the toolkit, and long errors that several endpoints declare
 * identically.
 */
import { isSameJson, toCanonicalJson } from '../json-schema/jsonSchema.ts'
import type { Field } from './field.ts'
import { endWithPeriod } from './markdownText.ts'
import type { DocumentedResponse, Section } from './section.ts'

/** The shared responses, and the rest of each endpoint. */
export interface SharedResponses {
  /** By ascending status, one for each. */
  readonly shared: readonly DocumentedResponse[]
  /** The own errors of an endpoint, and the statuses of its shared ones in ascending order. No status is in both. */
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

/** What a response is declared for: `404`, `4XX`. */
const getKey = ({ status, range }: Pick<DocumentedResponse, 'status' | 'range'>): string => range ?? String(status)

/** Whether an error needs more than a line: it has headers, or its own body. */
const hasDetails = ({ headers, encodings }: DocumentedResponse): boolean => headers.length > 0 || encodings.length > 0

/** The long errors that several endpoints declare identically, where a status has only one of them. */
function findSharedErrors(sections: readonly Section[]): readonly DocumentedResponse[] {
  const counts = new Map<string | undefined, { readonly error: DocumentedResponse; count: number }>()
  for (const { errors } of sections) {
    for (const error of errors.filter((one) => hasDetails(one) && one.range === undefined)) {
      const key = toCanonicalJson(error)
      const found = counts.get(key)
      if (found === undefined) counts.set(key, { error, count: 1 })
      else found.count += 1
    }
  }
  const repeated = [...counts.values()].filter(({ count }) => count > 1).map(({ error }) => error)
  return repeated.filter(({ status }) => repeated.filter((error) => error.status === status).length === 1)
}

/** The same error for two reasons, in one line: the descriptions of both. Not each of them has the headers of the other. */
function mergeErrors(one: DocumentedResponse, other: DocumentedResponse): DocumentedResponse {
  const [first, second] = [one.headers, other.headers].map((headers) => headers.map(({ name }) => name.toLowerCase())) as [
    string[],
    string[],
  ]
  const required = ({ name, ...field }: Field, names: readonly string[]): Field => ({
    ...field,
    name,
    required: field.required && names.includes(name.toLowerCase()),
  })
  const descriptions = [...new Set([one.description, other.description])].filter((text) => text !== '')
  return {
    ...one,
    description: descriptions.map((text, index) => (index === descriptions.length - 1 ? text : endWithPeriod(text))).join(' '),
    headers: [
      ...one.headers.map((field) => required(field, second)),
      ...other.headers.filter(({ name }) => !first.includes(name.toLowerCase())).map((field) => required(field, first)),
    ],
  }
}

/** Problem details of one status stand in one line, those of the toolkit among them. */
function mergeOwnErrors(own: readonly DocumentedResponse[], builtIn: readonly DocumentedResponse[]): readonly DocumentedResponse[] {
  const merged: DocumentedResponse[] = []
  const isOwn = (error: DocumentedResponse): boolean => own.some((one) => getKey(one) === getKey(error))
  for (const error of [...own, ...builtIn.filter(isOwn)]) {
    const index = error.problem ? merged.findIndex((one) => one.problem && getKey(one) === getKey(error)) : -1
    const same = merged[index]
    if (same === undefined) merged.push(error)
    else merged[index] = mergeErrors(same, error)
  }
  return merged.toSorted(
    (one, other) => own.findIndex((error) => getKey(error) === getKey(one)) - own.findIndex((error) => getKey(error) === getKey(other)),
  )
}

/** Finds the shared responses of all sections. A shared status has one meaning. */
export function findSharedResponses(sections: readonly Section[]): SharedResponses {
  const builtIn = mergeBuiltInErrors(sections.flatMap((section) => section.builtInErrors))
  const declared = findSharedErrors(sections).filter((error) => builtIn.every(({ status }) => status !== error.status))
  const isShared = (error: DocumentedResponse): boolean => declared.some((one) => isSameJson(one, error))
  return {
    shared: [...builtIn, ...declared].toSorted((one, other) => one.status - other.status),
    forSection: (section) => {
      const own = mergeOwnErrors(
        section.errors.filter((error) => !isShared(error)),
        section.builtInErrors,
      )
      const statuses = [...section.builtInErrors, ...section.errors.filter(isShared)].map(({ status }) => status)
      const further = statuses.filter((status) => own.every((error) => getKey(error) !== String(status)))
      return {
        own,
        statuses: [...new Set(further)].toSorted((one, other) => one - other),
      }
    },
  }
}
