/** The errors that several operations answer in the same words, said once. */
import { getReasonPhrase } from '../describe/status.ts'
import type { OperationObject, ReferenceObject, ResponseObject } from './document.ts'
import { createNamedComponents, toPascalCase } from './names.ts'

type ResponsesObject = OperationObject['responses']

/** What the operations of a document have in common. */
export interface SharedErrors {
  /** The same responses, with references in place of those that others have as well. */
  readonly withReferences: (responses: ResponsesObject) => ResponsesObject
  /** By the reason phrases of their statuses: `NotAcceptable`. */
  readonly responses: Record<string, ResponseObject>
}

const toResponseKey = (status: string, response: ResponseObject | ReferenceObject): string => JSON.stringify([status, response])

/** Looks for what the operations have in common. A success is always that of its own operation. */
export function findSharedErrorResponses(operations: readonly Pick<OperationObject, 'responses'>[]): SharedErrors {
  const counts = new Map<string, number>()
  for (const { responses } of operations) {
    for (const one of Object.entries(responses)) counts.set(toResponseKey(...one), (counts.get(toResponseKey(...one)) ?? 0) + 1)
  }
  const { nameOf, components: things } = createNamedComponents<ResponseObject>()
  const said = (status: string, response: ResponseObject | ReferenceObject): ResponseObject | ReferenceObject => {
    const isShared = Number(status) >= 400 && (counts.get(toResponseKey(status, response)) ?? 0) > 1
    if (!isShared || '$ref' in response) return response
    return { $ref: `#/components/responses/${nameOf(toPascalCase(getReasonPhrase(Number(status))), response)}` }
  }
  return {
    withReferences: (responses) =>
      Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, said(status, response)])),
    responses: things,
  }
}
