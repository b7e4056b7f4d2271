/** The rules that sequences of requests test, and those that several clients test. */
import type { SequenceRule } from '../rule.ts'

const defineRule = (name: string, description: string): SequenceRule => Object.freeze({ name, description, scope: 'sequence' })
const defineClientRule = (name: string, description: string): SequenceRule => Object.freeze({ name, description, scope: 'clients' })

export const createdItemsRule: SequenceRule = defineRule(
  'created-items',
  'A new item exists for every endpoint, until a request deletes it.',
)
export const deletedItemsRule: SequenceRule = defineRule('deleted-items', 'A deleted item is gone for every endpoint, and stays so.')
export const newIdentifiersRule: SequenceRule = defineRule(
  'new-identifiers',
  'A new item gets an identifier that no other item has or had.',
)
export const readWritesRule: SequenceRule = defineRule('read-writes', 'A response shows what the last change of the item sent.')
export const unchangedItemsRule: SequenceRule = defineRule(
  'unchanged-items',
  'An item stays as responses have shown it, until a request changes it. A refused request changes nothing.',
)
export const listItemsRule: SequenceRule = defineRule('list-items', 'A list has each item once, as a GET of the item shows it.')
export const newEtagsRule: SequenceRule = defineRule('new-etags', 'An item that was changed has another ETag.')
export const sameEtagsRule: SequenceRule = defineRule('same-etags', 'The ETag of an item stays the same until the item changes.')
export const conditionsRule: SequenceRule = defineRule(
  'conditions',
  'The current ETag of a changed item is accepted in If-Match and gets 304 in If-None-Match; an earlier one gets 412, and no 304.',
)
export const repeatedPostsRule: SequenceRule = defineRule(
  'repeated-posts',
  'The same POST with the same Idempotency-Key gets the first response, also after other requests.',
)
export const oneOrderRule: SequenceRule = defineClientRule(
  'one-order',
  'The responses to the requests of several clients fit one order of the requests (linearizability).',
)
export const walksRule: SequenceRule = defineClientRule(
  'walks',
  'A walk over the pages during changes has each item once that exists during the whole walk.',
)
export const parallelPostsRule: SequenceRule = defineClientRule(
  'parallel-posts',
  'The same POST with the same Idempotency-Key, sent by several clients at once, has one effect.',
)
export const resumedStreamsRule: SequenceRule = defineClientRule(
  'resumed-streams',
  'A stream that is resumed with Last-Event-ID continues after that event: none is lost, and none is repeated.',
)

/** The rules that `steps` test. */
export const sequenceRules: readonly SequenceRule[] = [
  createdItemsRule,
  deletedItemsRule,
  newIdentifiersRule,
  readWritesRule,
  unchangedItemsRule,
  listItemsRule,
  newEtagsRule,
  sameEtagsRule,
  conditionsRule,
  repeatedPostsRule,
]

/** The rules that `clients` test. */
export const clientRules: readonly SequenceRule[] = [oneOrderRule, walksRule, parallelPostsRule, resumedStreamsRule]
