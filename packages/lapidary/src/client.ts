/** `lapidary/client`: a typed client for every platform that has `fetch`. */
export type { Call, CallInput, CallOptions, Client, Representation, RepresentationOptions } from './client/callTypes.ts'
export { type ClientOptions, client } from './client/client.ts'
export { ConnectionError, isDeclaredError, StreamInterruptedError, UnexpectedResponseError } from './client/errors.ts'
export type { FetchLike } from './client/redirects.ts'
export { type Credentials, credentials } from './client/request.ts'
export { type ConnectStream, resume } from './client/resume.ts'
export { revalidate } from './client/revalidate.ts'
export type { DeclaredErrorOf } from './contract/reply.ts'
