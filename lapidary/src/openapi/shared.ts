/** The errors that several operations answer in the same words, said once. */
import { reasonOf } from '../describe/status.ts'
import type { OperationObject, ReferenceObject, ResponseObject } from './document.ts'
import { collected, pascalCase } from './names.ts'

type Responses = OperationObject['responses']

/** What the operations of a document have in common. */
export interface Shared {
  /** The same responses, with references in place of those that others have as well. */
  readonly referring: (responses: Responses) => Responses
  /** By the reason phrases of their statuses: `NotAcceptable`. */
  readonly responses: Record<string, ResponseObject>
}

const key = (status: string, response: ResponseObject | ReferenceObject): string => JSON.stringify([status, response])

/** Looks for what the operations have in common. A success is always that of its own operation. */
export function shared(operations: readonly Pick<OperationObject, 'responses'>[]): Shared {
  const counts = new Map<string, number>()
  for (const { responses } of operations) {
    for (const one of Object.entries(responses)) counts.set(key(...one), (counts.get(key(...one)) ?? 0) + 1)
  }
  const { nameOf, things } = collected<ResponseObject>()
  const said = (status: string, response: ResponseObject | ReferenceObject): ResponseObject | ReferenceObject => {
    const isShared = Number(status) >= 400 && (counts.get(key(status, response)) ?? 0) > 1
    if (!isShared || '$ref' in response) return response
    return { $ref: `#/components/responses/${nameOf(pascalCase(reasonOf(Number(status))), response)}` }
  }
  return {
    referring: (responses) => Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, said(status, response)])),
    responses: things,
  }
}
