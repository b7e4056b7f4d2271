/**
 * The types of an endpoint: what its handler gets and what a call takes. They are looked up in the parts of its definition, as these are
 * written. A part that is not declared is `never`. It adds `unknown` to an intersection, and so nothing.
 */
import type { Captures } from '../http/route.ts'
import type { ParseError } from '../json-schema/parseError.ts'
import type { Schema } from '../json-schema/standardSchema.ts'
import type { UserOf } from './auth/alternatives.ts'
import type { ConditionsOf, Etag, PreconditionOf } from './etag.ts'
import type { Content } from './media/mediaType.ts'
import type {
  AnyCodec,
  AnyParameter,
  Nothing,
  ParameterInput,
  ReadValue,
  ReadValues,
  SchemaInput,
  SchemaOutput,
  Simplify,
  WithOptional,
  WrittenValue,
  WrittenValues,
} from './parameters/parameter.ts'
import type { AnyReply, Fail, Reply, ReturnedErrorOf, StatusValue, WithHeaders } from './reply.ts'

/** A body of any types. */
export type AnyBody = Schema | Content<unknown, unknown>

// What a definition can hold. For anything else, the message of the compiler has a sentence that says what to write instead.

/** Query parameters or headers. */
// A constraint and not a conditional type, which would reject the type parameter of a generic function that calls endpoint().
export interface ParameterCodecs {
  readonly [name: string]: AnyParameter | Schema | 'give it a codec, such as int, or a schema, such as z.int()'
}

/** A parameter that is neither a list nor a flag: an array has `map`, and a flag is a function that is no codec. */
interface SingleParameter extends AnyParameter {
  readonly read: (input: ParameterInput) => string | number | bigint | boolean | null | undefined | ParseError | SingleValue
  readonly call?: never
}
/** With a member that every object has, since a type of optional members alone accepts no `Date`. */
interface SingleValue {
  readonly map?: never
  readonly toString: () => string
}

/** Cookies. */
export interface CookieCodecs {
  readonly [name: string]:
    | AnyCodec
    | SingleParameter
    | Schema
    | 'a cookie is one text: give it a codec, such as int or optional(text), no array, no flag'
}

/** The codecs of captures. */
export type CodecsOfCaptures<Line extends string, Part> = string extends keyof Part
  ? Part
  : Part extends Schema
    ? [Exclude<Captures<Line>, keyof SchemaOutput<Part>>] extends [never]
      ? Part
      : `the schema has no member ${Exclude<Captures<Line>, keyof SchemaOutput<Part>>}`
    : {
        readonly [Name in keyof Part]: Name extends Captures<Line>
          ? Part[Name] extends AnyCodec | Schema
            ? Part[Name]
            : 'a capture is one text that is always there: no default, no optional, no array, no flag'
          : `the route has no capture :${Name & string}`
      }

/** The reply of success, or several of them. */
export type RepliesOnly<Part> = Part extends AnyReply | Replies ? Part : 'say with which status: ok(body), reply(status, body) or noContent'

/** Several replies, the usual one first. */
export type Replies = readonly [AnyReply, ...AnyReply[]]

// What the parts stand for.

/** A capture without a codec is text. */
export type CaptureValues<Line extends string, Part> = Part extends Schema
  ? SchemaOutput<Part>
  : { readonly [Name in Captures<Line>]: Name extends keyof Part ? ReadValue<Part[Name]> : string }
export type WrittenCaptures<Line extends string, Part> = Part extends Schema
  ? SchemaInput<Part>
  : { readonly [Name in Captures<Line>]: Name extends keyof Part ? WrittenValue<Part[Name]> : string }

type BodyTypes<Body> = NonNullable<
  Body extends Schema ? Body['~standard']['types'] : Body extends Content<unknown, unknown> ? Body['~types'] : never
>

/** What is written for a body. */
export type BodyInput<Body> = PropertyOf<BodyTypes<Body>, 'input'>

/** What is read from a body. */
export type BodyOutput<Body> = PropertyOf<BodyTypes<Body>, 'output'>

/** What a handler returns for a reply; of several, for the first. */
type ReplyInput<Response> = Response extends readonly [infer First, ...unknown[]]
  ? ReplyTypes<First>['input' & keyof ReplyTypes<First>]
  : ReplyTypes<Response>['input' & keyof ReplyTypes<Response>]

/** What a client gets for a reply; of several, a union by `status`. */
export type ReplyOutput<Response> = Response extends readonly [AnyReply, AnyReply, ...AnyReply[]]
  ? StatusOutput<Response[number]>
  : Response extends readonly [infer Only]
    ? ReplyOutput<Only>
    : ReplyTypes<Response>['output' & keyof ReplyTypes<Response>]

type ReplyTypes<Response> = NonNullable<Response['~types' & keyof Response]>

/** What a client gets for one of several replies. */
type StatusOutput<Response> =
  Response extends Reply<unknown, infer Output, infer Status>
    ? Output extends WithHeaders<infer Body, infer Headers>
      ? { readonly status: Status; readonly body: Body; readonly headers: Headers }
      : { readonly status: Status; readonly body: Output extends void ? undefined : Output }
    : never

/** The values of `respond` for these replies. */
type StatusInput<Response> = Response extends Reply<infer Input, unknown, infer Status> ? StatusValue<Status, RespondedValue<Input>> : never
/** `respond(204)` has no value. */
type RespondedValue<Input> = Input extends void ? undefined : Input

/** What a handler returns: the value of the first reply, that of any reply by `respond`, or a declared error. */
// Conditional, so that editors and messages show the union rather than this name.
export type HandlerOutput<Response, Errors> = Response extends Replies
  ? ReplyInput<Response> | StatusInput<Response[number]> | ReturnedErrorOf<Errors>
  : ReplyInput<Response> | ReturnedErrorOf<Errors>

type PropertyOf<T, Key> = T[Key & keyof T]

/** A part of a call; it can be left out when all of its members can. */
type CallPart<Key extends string, T> = Nothing extends T ? { readonly [K in Key]?: T } : { readonly [K in Key]: T }

/** The input of a handler of an endpoint without input. */
// biome-ignore lint/suspicious/noEmptyInterface: messages and editors show its name
export interface NoInput {}

/** The input of a call of an endpoint without input. */
export interface NoArguments {
  readonly [part: string]: 'this endpoint takes no input'
}

/** All parts as one object; `None` where there are none. */
type InputParts<Parts, None> = unknown extends Parts ? None : { readonly [Name in keyof Parts]: Parts[Name] }

/** The input of a handler: the parts that its endpoint declares, and no others. */
export type InputOfHandler<Line extends string, Params, Query, Headers, Cookies, Body, Who, Tag, Errors, Raw> = InputParts<
  ([Captures<Line>] extends [never] ? unknown : { readonly params: CaptureValues<Line, Params> }) &
    ([Query] extends [never] ? unknown : { readonly query: ReadValues<Query> }) &
    (Tag extends Etag ? TagInput<Headers, Tag> : [Headers] extends [never] ? unknown : { readonly headers: ReadValues<Headers> }) &
    ([Cookies] extends [never] ? unknown : { readonly cookies: ReadValues<Cookies> }) &
    ([Body] extends [never] ? unknown : { readonly body: BodyOutput<Body> }) &
    ([Who] extends [never] ? unknown : { readonly user: UserOf<Who> }) &
    (Raw extends true ? { readonly rawBody: Uint8Array } : unknown) &
    ([Errors] extends [never] ? unknown : { readonly fail: Fail<Errors> }),
  NoInput
>

type TagInput<Headers, Tag> = {
  readonly headers: [Headers] extends [never] ? ConditionsOf<Tag> : Simplify<ReadValues<Headers> & ConditionsOf<Tag>>
} & (Tag extends true ? unknown : { readonly precondition: PreconditionOf<Tag> })

/**
 * The input of a call: the parts that its endpoint declares, and no others. `cookies` can be left out even where a cookie is required: a
 * browser sends its own cookies, and lets no script write them.
 */
export type InputOfCall<Line extends string, Params, Query, Headers, Cookies, Body, Tag> = InputParts<
  ([Captures<Line>] extends [never] ? unknown : { readonly params: WrittenCaptures<Line, Params> }) &
    ([Query] extends [never] ? unknown : CallPart<'query', WrittenValues<Query>>) &
    (Tag extends Etag
      ? CallPart<'headers', WithOptional<([Headers] extends [never] ? unknown : WrittenValues<Headers>) & ConditionsOf<Tag>>>
      : [Headers] extends [never]
        ? unknown
        : CallPart<'headers', WrittenValues<Headers>>) &
    ([Cookies] extends [never] ? unknown : { readonly cookies?: WrittenValues<Cookies> }) &
    ([Body] extends [never]
      ? unknown
      : Body extends { readonly isOptional: true }
        ? { readonly body?: BodyInput<Body> }
        : { readonly body: BodyInput<Body> }),
  NoArguments
>
