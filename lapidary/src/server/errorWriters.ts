/** The writers of declared errors: of one status there may be several, and the body says which of them it is. */
import * as complaint from '../describe/complaint.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getMembers, resolveSchema } from '../describe/jsonSchema.ts'
import type { AnyReply } from '../describe/reply.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { createReplyWriter, type ReplyWriter } from './write.ts'

/** The writers of the declared errors that have bodies, by status, in the order of their declaration. */
export type ErrorBodyWriters = ReadonlyMap<number, readonly ReplyWriter[]>

const isSameMemberSchema = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The members of a reply's body, where it is an object. */
function getBodyMembers({ content }: AnyReply): ReturnType<typeof getMembers> | undefined {
  if (content?.schema === undefined) return undefined
  const schema = getJsonSchema(content.schema)
  const here = resolveSchema(schema, schema)
  return here.properties === undefined ? undefined : getMembers(here)
}

/** A member of `second` that is lost where its body is taken for one of `first`; undefined where no body can be both, or nothing is lost. */
function findLostMember(first: AnyReply, second: AnyReply): string | undefined {
  const [one, other] = [getBodyMembers(first), getBodyMembers(second)]
  if (one === undefined || other === undefined) return undefined
  for (const [name, schema] of Object.entries(one.properties)) {
    const there = Object.hasOwn(other.properties, name) ? other.properties[name] : undefined
    if (there === undefined ? one.required.includes(name) : !isSameMemberSchema(schema, there)) return undefined
  }
  return one.rest === undefined || one.rest === false
    ? Object.keys(other.properties).find((name) => !Object.hasOwn(one.properties, name))
    : undefined
}

/** @throws TypeError where a body of one error would be sent as another one that was declared before it. */
function checkDistinctErrors(route: string, errors: readonly AnyReply[]): void {
  errors.forEach((second, index) => {
    for (const first of errors.slice(0, index)) {
      if (first.status !== second.status || first.content?.media[0]?.types[0] !== second.content?.media[0]?.types[0]) continue
      const lost = findLostMember(first, second)
      if (lost !== undefined) throw new TypeError(complaint.indistinguishableErrors(route, second.status, lost))
    }
  })
}

/** Compiles the declared errors of an endpoint. @throws TypeError where two of one status cannot be told apart. */
export function createErrorWriters({ route, errors }: AnyEndpoint, always: readonly string[]): ErrorBodyWriters {
  // One without a body is problem details.
  const bodied = errors.filter(({ content }) => content !== undefined)
  checkDistinctErrors(route, bodied)
  const writers = new Map<number, readonly ReplyWriter[]>()
  for (const error of bodied) writers.set(error.status, [...(writers.get(error.status) ?? []), createReplyWriter(route, error, always)])
  return writers
}
