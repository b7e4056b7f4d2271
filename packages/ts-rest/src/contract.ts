/** What a contract of ts-rest is at run time: nothing of `@ts-rest/core` is needed to read one. */
import { isSchema } from './schemas/toSchema.ts'

/** A route of a contract, at run time. */
export interface RuntimeRoute {
  readonly method: string
  readonly path: string
  readonly pathParams?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
  readonly contentType?: string
  readonly responses: Readonly<Record<string, unknown>>
  readonly strictStatusCodes?: boolean
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly metadata?: unknown
}

/** A contract, at run time. */
export interface RuntimeRouter {
  readonly [name: string]: RuntimeRoute | RuntimeRouter
}

/** Whether a member of a contract is a route, as ts-rest decides it. */
export const isRoute = (value: object): value is RuntimeRoute => 'method' in value && 'path' in value

const isSymbolNamed = (value: unknown, name: string): boolean => typeof value === 'symbol' && value.description === name

/** Whether a value is that of no body, of any copy of ts-rest. */
export const isNoBody = (value: unknown): boolean => isSymbolNamed(value, 'ContractNoBody')

/** Whether a value is that of `c.type<T>()`: a type without a schema. */
export const isPlainType = (value: unknown): boolean => isSymbolNamed(value, 'ContractPlainType')

/** A response of another media type than JSON: the value of `c.otherResponse()`. */
export interface OtherResponse {
  readonly contentType: string
  readonly body: unknown
}

export const isOtherResponse = (value: unknown): value is OtherResponse =>
  typeof value === 'object' &&
  value !== null &&
  !isSchema(value) &&
  typeof Reflect.get(value, 'contentType') === 'string' &&
  'body' in value
