/** `collection(User)`: the five operations of a collection of items with an integer identifier, written once. */
import { type Endpoint, endpoint, type Input } from './endpoint.ts'
import { int } from './int.ts'
import { type Items, list } from './list.ts'
import { described } from './parameter.ts'
import { percentEncoded } from './percent.ts'
import { type AnyReply, created, noContent, ok, type Reply, reply, type WithHeaders } from './reply.ts'
import type { Schema } from './schema.ts'
import { text } from './text.ts'

type Nothing = Record<never, never>
type Operation<Params, BodyInput, BodyOutput, ReplyInput, ReplyOutput, Raised> = Endpoint<
  Input<Params, unknown, unknown, BodyOutput, undefined>,
  Input<Params, unknown, unknown, BodyInput, undefined>,
  ReplyInput,
  ReplyOutput,
  Raised
>
type Absent = Reply<void, void, 404>

/** The operations on a collection, and the items in it. */
// A type alias, not an interface: only that can stand where a record of operations is asked for.
export type Collection<ItemInput, ItemOutput, Raised = never> = {
  /** `GET /`: 200 and a list, which may be streamed. */
  readonly list: Operation<Nothing, undefined, undefined, Items<ItemInput>, ItemOutput[], Raised>
  /** `POST /`: 201 with the `Location` of the new item and no body. */
  readonly create: Operation<
    Nothing,
    ItemInput,
    ItemOutput,
    WithHeaders<undefined, { Location: string }>,
    WithHeaders<undefined, { Location: string }>,
    Raised
  >
  /** `GET /:id`: 200 and the item, or 404. */
  readonly item: Operation<{ readonly id: number }, undefined, undefined, ItemInput, ItemOutput, Absent | Raised>
  /** `PUT /:id`: 204, or 404. */
  readonly replace: Operation<{ readonly id: number }, ItemInput, ItemOutput, void, void, Absent | Raised>
  /** `DELETE /:id`: 204, or 404. */
  readonly remove: Operation<{ readonly id: number }, undefined, undefined, void, void, Absent | Raised>
}

/** What may be said of a collection. */
export interface CollectionOptions<Raised> {
  /** What documentation calls one item. Default: `item`. */
  readonly one?: string
  /** What it calls all of them. Default: `items`. */
  readonly all?: string
  /** Errors that each of its operations may raise, besides 404 where an identifier is given. Default: none. */
  readonly errors?: readonly Raised[]
}

/** The operations on a collection of `item`, to be put under its path: `under('/products', collection(Product, { one: 'product', all: 'products' }))`. */
export function collection<ItemInput, ItemOutput, Raised extends AnyReply = never>(
  item: Schema<ItemInput, ItemOutput>,
  { one = 'item', all = 'items', errors = [] }: CollectionOptions<Raised> = {},
): Collection<ItemInput, ItemOutput, Raised> {
  const id = described(int, `The identifier of the ${one}.`, 1)
  const byId = { params: { id }, errors: [reply(404, undefined, { description: `There is no such ${one}.` }), ...errors] }
  const Location = described(text, `The path of the new ${one}.`, `/${percentEncoded(all)}/1`)
  return {
    list: endpoint('GET /', { response: ok(list(item)), errors, summary: `All ${all}.` }),
    create: endpoint('POST /', { body: item, response: created({ headers: { Location } }), errors, summary: `Adds a ${one}.` }),
    item: endpoint('GET /:id', { ...byId, response: ok(item), summary: `One ${one}.` }),
    replace: endpoint('PUT /:id', { ...byId, body: item, response: noContent, summary: `Replaces a ${one}.` }),
    remove: endpoint('DELETE /:id', { ...byId, response: noContent, summary: `Removes a ${one}.` }),
  }
}
