/** `collection(User)`: the five operations of a collection whose items have integer identifiers. */
import { percentEncode } from '../http/percentEncoding.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import type { InputOfCall, InputOfHandler } from './endpointTypes.ts'
import type { EtagErrorsOf, TaggedReply } from './etag.ts'
import { list } from './list.ts'
import type { Items } from './media/itemStreams.ts'
import { text } from './media/text.ts'
import { int } from './parameters/int.ts'
import type { Codec } from './parameters/parameter.ts'
import { type AnyReply, created, noContent, ok, type Reply, reply, type WithHeaders } from './reply.ts'

type CollectionOperation<Line extends string, Params, Item, Response, Errors, Tag = undefined> = Endpoint<{
  input: InputOfHandler<Line, Params, never, never, never, Item, never, Tag, Errors, undefined>
  call: InputOfCall<Line, Params, never, never, never, Item, Tag>
  response: Tag extends true ? TaggedReply<Response> : Response
  errors: Errors | EtagErrorsOf<Tag>
}>
type ItemOperation<Method extends string, Param extends string, Item, Response, Errors, Tag> = CollectionOperation<
  `${Method} /:${Param}`,
  Readonly<Record<Param, Codec<number>>>,
  Item,
  Response,
  Errors,
  Tag
>
/** Where changes need an ETag, an item has one. */
type ItemEtag<Tag> = Tag extends string ? true : undefined
type NotFoundReply = Reply<void, void, 404>
type CreatedItem = WithHeaders<undefined, { Location: string }>

/** The operations of a collection. */
// A type alias: an interface is not assignable to a record of operations.
export type Collection<ItemInput, ItemOutput, Errors = never, Tag = undefined, Param extends string = 'id'> = {
  /** `GET /`: 200 and a list, which can be a stream. */
  readonly list: CollectionOperation<'GET /', object, never, Reply<Items<ItemInput>, ItemOutput[], 200>, Errors>
  /** `POST /`: 201 with the `Location` of the new item and no body. */
  readonly create: CollectionOperation<'POST /', object, Schema<ItemInput, ItemOutput>, Reply<CreatedItem, CreatedItem, 201>, Errors>
  /** `GET /:id` (the name of the capture is `param`): 200 and the item, or 404. */
  readonly item: ItemOperation<'GET', Param, never, Reply<ItemInput, ItemOutput, 200>, NotFoundReply | Errors, ItemEtag<Tag>>
  /** `PUT /:id`: 204, or 404. */
  readonly replace: ItemOperation<'PUT', Param, Schema<ItemInput, ItemOutput>, Reply<void, void, 204>, NotFoundReply | Errors, Tag>
  /** `DELETE /:id`: 204, or 404. */
  readonly remove: ItemOperation<'DELETE', Param, never, Reply<void, void, 204>, NotFoundReply | Errors, Tag>
}

/** Options of `collection`. */
interface CollectionOptions<Errors, Tag = undefined, Param extends string = 'id'> {
  /**
   * The name of the capture: with `userid`, an item is at `/:userid`.
   *
   * @default 'id'
   */
  readonly param?: Param
  /**
   * An item, in documentation.
   *
   * @default 'item'
   */
  readonly one?: string
  /**
   * The items, in documentation.
   *
   * @default 'items'
   */
  readonly all?: string
  /**
   * Errors of each operation, besides 404 for an unknown identifier.
   *
   * @default none
   */
  readonly errors?: readonly Errors[]
  /**
   * Whether changes of an item need `If-Match`; the item then has an `ETag`.
   *
   * @default undefined
   */
  readonly etag?: Tag | undefined
}

/**
 * The operations of a collection. Put them below a prefix.
 *
 * @param item The schema of an item.
 * @example
 * ```ts
 * import { collection, prefix } from 'lapidary'
 * import { z } from 'zod'
 *
 * const Product = z.object({ name: z.string(), price: z.number() })
 * const api = { products: prefix('/products', collection(Product, { one: 'product', all: 'products' })) }
 * ```
 */
export function collection<
  ItemInput,
  ItemOutput,
  Errors extends AnyReply = never,
  const Tag extends 'optional' | 'required' | undefined = undefined,
  const Param extends string = 'id',
>(
  item: Schema<ItemInput, ItemOutput>,
  { param, one = 'item', all = 'items', errors = [], etag }: CollectionOptions<Errors, Tag, Param> = {},
): Collection<ItemInput, ItemOutput, Errors, Tag, Param> {
  const name: string = param ?? 'id'
  const byId = {
    params: { [name]: int({ description: `The identifier of the ${one}.`, examples: [1] }) },
    errors: [reply(404, undefined, { description: `There is no such ${one}.` }), ...errors],
  }
  const Location = text({ description: `The path of the new ${one}.`, examples: [`/${percentEncode(all)}/1`] })
  const operations = {
    list: endpoint('GET /', { response: ok(list(item)), errors, summary: `All ${all}.` }),
    create: endpoint('POST /', { body: item, response: created({ headers: { Location } }), errors, summary: `Adds a ${one}.` }),
    item: endpoint(`GET /:${name}`, { ...byId, response: ok(item), summary: `One ${one}.`, etag: etag && true }),
    replace: endpoint(`PUT /:${name}`, { ...byId, body: item, response: noContent, summary: `Replaces a ${one}.`, etag }),
    remove: endpoint(`DELETE /:${name}`, { ...byId, response: noContent, summary: `Removes a ${one}.`, etag }),
  }
  // The compiler cannot compute what `etag` and `param` add, since both are type parameters here.
  return operations as unknown as Collection<ItemInput, ItemOutput, Errors, Tag, Param>
}
