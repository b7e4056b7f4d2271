/** The names of what an API has, as types: `users.item`. */
import type { TypeOf } from '../describe/endpoint.ts'
import type { HttpRequest } from '../server/kernel.ts'

/** What stands under a name: told by its keys, as the types of handlers do. */
type OperationNames<A, Kind extends 'endpoint' | 'mount'> = string extends keyof A
  ? string
  : {
      [Name in keyof A & string]: '~types' extends keyof A[Name]
        ? Kind extends 'endpoint'
          ? Name
          : never
        : '~kind' extends keyof A[Name]
          ? Kind extends 'mount'
            ? Name
            : never
          : `${Name}.${OperationNames<A[Name], Kind>}`
    }[keyof A & string]

/** The names of the endpoints of an API, as `walk` tells them. */
export type EndpointNames<A> = OperationNames<A, 'endpoint'>

/** The names of its mounts. */
export type MountNames<A> = OperationNames<A, 'mount'>

/** What stands under a name. */
type OperationAt<A, Name> = Name extends keyof A
  ? A[Name]
  : Name extends `${infer Key}.${infer Rest}`
    ? Key extends keyof A
      ? OperationAt<A[Key], Rest>
      : never
    : never

/**
 * A handler of one's own: what a server's handler gets, and what it returns. Only `user` is not known: it is what the check of the scheme gives and,
 * where the mock was given no check, the credentials.
 */
export type MockHandler<Input, Output> = (
  input: Omit<Input, 'user'> & { readonly user: unknown },
  incoming: HttpRequest,
) => Output | Promise<Output>

/** The handler of the endpoint of this name. */
export type MockHandlerOf<A, Name> = string extends Name
  ? (input: never, incoming: HttpRequest) => unknown
  : OperationAt<A, Name> extends { readonly '~types'?: infer Types }
    ? MockHandler<TypeOf<Types, 'in'>, TypeOf<Types, 'out'>>
    : never
