/** How whoever has nothing but a description answers with its pages: the header `Range` of a declaration carries it along. */
import type { WithHeaders } from '../describe/reply.ts'
import type { RangeInput } from './asked.ts'
import type { PageHeaders } from './declaration.ts'

/** What the ranges of a collection do with items that somebody else has. */
export interface Paging {
  /** The page that a request asks for. @throws HttpError 400, 416. */
  readonly page: (input: RangeInput, items: readonly unknown[]) => Promise<WithHeaders<readonly unknown[], PageHeaders>>
  /** What tells any two items apart. */
  readonly getKey: (item: unknown) => string | number
  /** Whether the codecs of the fields can say what is in an item. Whatever `of` or a codec throws, this throws. */
  readonly isRepresentable: (item: unknown) => boolean
}

/** Not a word of the description: a parameter behaves as it did. */
const pagingKey = '~paging'

/** The same parameter, which carries it. */
export const attachPaging = <Parameter extends object>(parameter: Parameter, paging: Paging): Parameter =>
  Object.freeze({ ...parameter, [pagingKey]: paging })

/** What a parameter carries; undefined for any but the header `Range` of a declaration. */
export const getPaging = (parameter: object | undefined): Paging | undefined =>
  parameter === undefined ? undefined : (Reflect.get(parameter, pagingKey) as Paging | undefined)
