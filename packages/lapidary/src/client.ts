/** `lapidary/client`: a typed client for every platform that has `fetch`. */
export type { Call, CallInput, CallOptions, Client, NoInput } from './client/call.ts'
export { type ClientOptions, client } from './client/client.ts'
export { type DeclaredErrorOf, isDeclaredError } from './client/declaredError.ts'
export { ConnectionError, StreamInterruptedError, UnexpectedResponseError } from './client/errors.ts'
export { type Credentials, credentials, type FetchLike } from './client/request.ts'
export { revalidate } from './client/revalidate.ts'
// Declarations of programs that export their client name it.
export type { Loose } from './links/linkInput.ts'
