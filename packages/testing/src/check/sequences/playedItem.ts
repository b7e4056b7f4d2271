/** The items that a sequence has created, and the calls that name them. */
import { isJsonObject } from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import type { EndpointUnderTest } from '../rule.ts'
import type { ItemFamily } from './itemFamily.ts'
import type { ItemState } from './itemState.ts'
import type { SentRequest } from './sendRequests.ts'

/** An item that a sequence has created. */
export interface PlayedItem {
  readonly family: ItemFamily
  /** The texts of the captures of its path, its identifier last. */
  readonly texts: readonly string[]
  readonly state: ItemState
  /** The request that created it. */
  readonly created: SentRequest
}

/** A request of a play, with what a script has to know. */
export interface PlayedRequest {
  readonly sent: SentRequest
  /** The number of the item that it creates or names. */
  readonly item: number | undefined
  readonly isCreation: boolean
}

/** The number of the item that the path of a family names first. */
export const parentItem = -1

export const listCaptures = ({ endpoint }: EndpointUnderTest): readonly string[] => Object.keys(endpoint.params)

/** Puts the texts of the captures of a path into a call, in the order of the path. */
export const withTexts = (subject: EndpointUnderTest, call: Call, texts: readonly string[]): Call => ({
  ...call,
  captures: {
    ...call.captures,
    ...Object.fromEntries(
      listCaptures(subject)
        .slice(0, texts.length)
        .map((name, at) => [name, texts[at] ?? '']),
    ),
  },
})

/** Puts the identifier of an item into a body that has one. */
export function withIdentifier({ identifier }: ItemFamily, call: Call, text: string): Call {
  const value = call.body?.value
  if (call.body === undefined || !isJsonObject(value) || !Object.hasOwn(value, identifier)) return call
  const own = typeof value[identifier] === 'number' ? Number(text) : text
  return { ...call, body: { ...call.body, value: { ...value, [identifier]: own } } }
}
