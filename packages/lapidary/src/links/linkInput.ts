/** What a caller writes, with everything left out that need not be there. */
import type { Input } from '../contract/endpoint.ts'

/** Values that may be undefined may be left out. */
export type Loose<T> = { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: T[Name]
}

/** Nothing at all. What it may stand for may be left out: by `Partial` the same question is dearer to the compiler. */
export type Nothing = Readonly<Record<never, unknown>>

/** A part of the input; it may be left out when nothing in it is needed. */
export type Part<Key extends string, T> = Nothing extends T ? { readonly [K in Key]?: T } : { readonly [K in Key]: T }

/** What a link to an endpoint needs: its captures and its query. */
export type LinkInput<Wire> =
  Wire extends Input<infer Params, infer Query, infer _Headers, infer _Body, infer _User>
    ? Part<'params', Params> & Part<'query', Loose<Query>>
    : never
