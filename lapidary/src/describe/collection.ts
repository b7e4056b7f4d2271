/** `collection(User)`: the five operations of a collection of items with an integer identifier, written once. */
import { type Endpoint, endpoint, type Input } from './endpoint.ts'
import { int } from './int.ts'
import { type Items, list } from './list.ts'
import { created, noContent, ok, reply, type WithHeaders } from './reply.ts'
import type { Schema } from './schema.ts'
import { text } from './text.ts'

type Nothing = Record<never, never>
type Operation<Params, BodyInput, BodyOutput, ReplyInput, ReplyOutput> = Endpoint<
  Input<Params, unknown, unknown, BodyOutput, undefined>,
  Input<Params, unknown, unknown, BodyInput, undefined>,
  ReplyInput,
  ReplyOutput
>

/** The operations on a collection, and the items in it. */
// A type alias, not an interface: only that can stand where a record of operations is asked for.
export type Collection<ItemInput, ItemOutput> = {
  /** `GET /`: 200 and a list, which may be streamed. */
  readonly list: Operation<Nothing, undefined, undefined, Items<ItemInput>, ItemOutput[]>
  /** `POST /`: 201 with the `Location` of the new item and no body. */
  readonly create: Operation<
    Nothing,
    ItemInput,
    ItemOutput,
    WithHeaders<undefined, { Location: string }>,
    WithHeaders<undefined, { Location: string }>
  >
  /** `GET /:id`: 200 and the item, or 404. */
  readonly item: Operation<{ readonly id: number }, undefined, undefined, ItemInput, ItemOutput>
  /** `PUT /:id`: 204, or 404. */
  readonly replace: Operation<{ readonly id: number }, ItemInput, ItemOutput, void, void>
  /** `DELETE /:id`: 204, or 404. */
  readonly remove: Operation<{ readonly id: number }, undefined, undefined, void, void>
}

/** What documentation calls one item and all of them. */
export interface CollectionNames {
  readonly one: string
  readonly all: string
}

/** The operations on a collection of `item`, to be put under its path: `under('/products', collection(Product, { one: 'product', all: 'products' }))`. */
export function collection<ItemInput, ItemOutput>(
  item: Schema<ItemInput, ItemOutput>,
  { one, all }: CollectionNames = { one: 'item', all: 'items' },
): Collection<ItemInput, ItemOutput> {
  const byId = { params: { id: int }, errors: [reply(404)] } as const
  return {
    list: endpoint('GET /', { response: ok(list(item)), summary: `All ${all}.` }),
    create: endpoint('POST /', { body: item, response: created({ headers: { Location: text } }), summary: `Adds a ${one}.` }),
    item: endpoint('GET /:id', { ...byId, response: ok(item), summary: `One ${one}.` }),
    replace: endpoint('PUT /:id', { ...byId, body: item, response: noContent, summary: `Replaces a ${one}.` }),
    remove: endpoint('DELETE /:id', { ...byId, response: noContent, summary: `Removes a ${one}.` }),
  }
}
