/** What `match` finds, as types: they cost nothing until somebody asks. */
import type { Endpoint, Input } from '../describe/endpoint.ts'
import type { Mount } from '../describe/mount.ts'

/** What a URL says to an endpoint. */
export interface MatchedValues<Params, Query> {
  /** The captures, read by their codecs. */
  readonly params: Params
  /** The query parameters, read by their codecs. */
  readonly query: Query
}

/** One endpoint of an API, and what a URL says to it. It can be linked to again: `link(found.endpoint, found)`. */
export interface Match<Name extends string, Params, Query> extends MatchedValues<Params, Query> {
  /** The keys that lead to the endpoint, joined: `users.item`. */
  readonly name: Name
  // biome-ignore lint/suspicious/noExplicitAny: a URL says nothing of the rest
  readonly endpoint: Endpoint<any, Input<Params, Query, any, any, any>, any, any, any>
}

/** The query of an endpoint; one without has an empty one. */
export type QueryOf<Query> = unknown extends Query ? Record<never, never> : Query

/** Every endpoint of an API that a URL may lead to: a union that is told apart by `name`. */
export type Matches<A, Prefix extends string = ''> = string extends keyof A
  ? // biome-ignore lint/suspicious/noExplicitAny: of an API that is known only as such, nothing is known
    Match<string, any, any>
  : {
      [Key in keyof A & (string | number)]: A[Key] extends Mount
        ? never
        : // biome-ignore lint/suspicious/noExplicitAny: a URL says nothing of the rest
          A[Key] extends Endpoint<Input<infer Params, infer Query, any, any, any, any>, any, any, any, any>
          ? Match<`${Prefix}${Key}`, Params, QueryOf<Query>>
          : Matches<A[Key], `${Prefix}${Key}.`>
    }[keyof A & (string | number)]
