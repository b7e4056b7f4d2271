/**
 * The types of an endpoint: what its handler gets and what a call takes. They are looked up in the parts of its definition, as these are written.
 * A part that is not declared is `never`. It adds `unknown` to an intersection, and so nothing.
 */

import type { Captures } from '../http/route.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import type { AuthScheme } from './auth.ts'
import type { ConditionsOf, Etag, PreconditionOf } from './etag.ts'
import type { Content } from './media/mediaType.ts'
import type { AnyParameter, Codec, Parameter } from './parameters/parameter.ts'
import type { AnyReply } from './reply.ts'

/** Codecs by the names of their parameters. */
export type ParameterRecord = Readonly<Record<string, AnyParameter>>

/** A body of any types. */
// biome-ignore lint/suspicious/noExplicitAny: any body is meant
export type AnyBody = Schema<any, any> | Content<any, any>

/** An auth scheme of any types. */
// biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
export type AnyAuthScheme = AuthScheme<any, any>

// What a definition can hold. For anything else, the message of the compiler has a sentence that says what to write instead.

/** Query parameters or headers. */
// A constraint, so that functions can be generic over it. A conditional type would refuse them.
export interface ParameterCodecs {
  readonly [name: string]: AnyParameter | 'give it a codec, such as int, text or optional(text): a schema is for a body'
}

/** What stands in the message when one schema is given for all parameters. */
export type NoSchemaOfParameters = 'give each parameter a codec of its own, such as { page: int }: a schema is for a body'

/** The codecs of captures. */
export type CodecsOfCaptures<Line extends string, Part> = string extends keyof Part
  ? Part
  : '~standard' extends keyof Part
    ? 'give each capture a codec of its own, such as { id: int }: a schema is for a body'
    : {
        readonly [Name in keyof Part]: Name extends Captures<Line>
          ? // biome-ignore lint/suspicious/noExplicitAny: any scalar is meant
            Part[Name] extends Codec<any>
            ? Part[Name]
            : 'give a capture a codec of exactly one text, such as int: no optional, no array, no flag'
          : `the route has no capture :${Name & string}`
      }

/** The reply of success. */
export type ReplyOnly<Part> = Part extends AnyReply ? Part : 'say with which status: ok(body), reply(status, body) or noContent'

// What the parts stand for.

type ReadValue<P> = P extends Parameter<infer Value, infer _Written> ? Value : never
type WrittenValue<P> = P extends Parameter<infer _Value, infer Written> ? Written : never

type ReadValues<Part> = Part extends unknown ? { readonly [Name in keyof Part]: ReadValue<Part[Name]> } : never
type WrittenValues<Part> = { readonly [Name in keyof Part]: WrittenValue<Part[Name]> }

/** A capture without a codec is text. */
type CaptureValues<Line extends string, Part> = Part extends unknown
  ? { readonly [Name in Captures<Line>]: Name extends keyof Part ? ReadValue<Part[Name]> : string }
  : never

type BodyTypes<Body> = NonNullable<
  Body extends Schema ? Body['~standard']['types'] : Body extends Content<unknown, unknown> ? Body['~types'] : never
>

/** What is written for a body. */
export type BodyInput<Body> = PropertyOf<BodyTypes<Body>, 'input'>

/** What is read from a body. */
export type BodyOutput<Body> = PropertyOf<BodyTypes<Body>, 'output'>

/** What a handler returns for a reply. */
export type ReplyInput<Reply> = ReplyTypes<Reply>['input' & keyof ReplyTypes<Reply>]

/** What a client gets for a reply. */
export type ReplyOutput<Reply> = ReplyTypes<Reply>['output' & keyof ReplyTypes<Reply>]
type ReplyTypes<Reply> = NonNullable<Reply['~types' & keyof Reply]>

type UserOf<Scheme> = Scheme extends AuthScheme<infer User, infer _Credentials> ? User : never

type PropertyOf<T, Key> = T[Key & keyof T]

/** The members of an intersection, as one object. */
// Conditional, so that editors and messages show the members rather than this name.
type Simplify<T> = T extends unknown ? { readonly [Name in keyof T]: T[Name] } : never

/** The same members; those that can be undefined can be left out. */
type WithOptional<T> = Simplify<
  { readonly [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
    readonly [Name in keyof T as undefined extends T[Name] ? Name : never]?: T[Name]
  }
>

/** No members. What takes it can be left out. `Partial` would answer the same, at a higher cost to the compiler. */
export type Nothing = Readonly<Record<never, unknown>>

/** A part of a call; it can be left out when all of its members can. */
type CallPart<Key extends string, T> = Nothing extends T ? { readonly [K in Key]?: T } : { readonly [K in Key]: T }

/** The input of a handler whose endpoint takes nothing. */
// biome-ignore lint/suspicious/noEmptyInterface: messages and editors show its name
export interface NoInput {}

/** The input of a call whose endpoint takes nothing. */
export interface NoArguments {
  readonly [part: string]: 'this endpoint takes no input'
}

/** All parts as one object; `None` where there are none. */
type InputParts<Parts, None> = unknown extends Parts ? None : { readonly [Name in keyof Parts]: Parts[Name] }

/** The input of a handler: the parts that its endpoint declares, and no others. */
export type InputOfHandler<Line extends string, Params, Query, Headers, Body, Scheme, Tag> = InputParts<
  ([Captures<Line>] extends [never] ? unknown : { readonly params: CaptureValues<Line, Params> }) &
    ([Query] extends [never] ? unknown : { readonly query: ReadValues<Query> }) &
    (Tag extends Etag ? TagInput<Headers, Tag> : [Headers] extends [never] ? unknown : { readonly headers: ReadValues<Headers> }) &
    ([Body] extends [never] ? unknown : { readonly body: BodyOutput<Body> }) &
    ([Scheme] extends [never] ? unknown : { readonly user: UserOf<Scheme> }),
  NoInput
>

type TagInput<Headers, Tag> = {
  readonly headers: [Headers] extends [never] ? ConditionsOf<Tag> : Simplify<ReadValues<Headers> & ConditionsOf<Tag>>
} & (Tag extends true ? unknown : { readonly precondition: PreconditionOf<Tag> })

/** The input of a call: the parts that its endpoint declares, and no others. */
export type InputOfCall<Line extends string, Params, Query, Headers, Body, Tag> = InputParts<
  ([Captures<Line>] extends [never] ? unknown : { readonly params: CaptureValues<Line, Params> }) &
    ([Query] extends [never] ? unknown : CallPart<'query', WithOptional<WrittenValues<Query>>>) &
    (Tag extends Etag
      ? CallPart<'headers', WithOptional<([Headers] extends [never] ? unknown : WrittenValues<Headers>) & ConditionsOf<Tag>>>
      : [Headers] extends [never]
        ? unknown
        : CallPart<'headers', WithOptional<WrittenValues<Headers>>>) &
    ([Body] extends [never] ? unknown : { readonly body: BodyInput<Body> }),
  NoArguments
>
