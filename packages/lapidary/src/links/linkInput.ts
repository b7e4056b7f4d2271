/** What a link to an endpoint needs. */
import type { AnyEndpoint, TypeOf } from '../contract/endpoint.ts'

/** What a link to an endpoint needs: its captures and its query. */
export type LinkInput<E extends AnyEndpoint> = LinkParts<TypeOf<E['~types'], 'call'>>

type LinkParts<Call> = { [Key in keyof Call as Key extends 'params' | 'query' ? Key : never]: Call[Key] }
