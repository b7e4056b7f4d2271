/** `lapidary/client`: a typed client for every platform that has `fetch`. */
export type { Call, CallInput, CallOptions, Client } from './client/call.ts'
export { type ClientOptions, client } from './client/client.ts'
export { type DeclaredErrorOf, isDeclaredError } from './client/declaredError.ts'
export { ConnectionError, StreamInterruptedError, UnexpectedResponseError } from './client/errors.ts'
export { type Credentials, credentials, type FetchLike } from './client/request.ts'
export { revalidate } from './client/revalidate.ts'
