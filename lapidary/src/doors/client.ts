/** The public door of the client: it runs wherever there is a `fetch`. */
export type { Call, CallInput, CallOptions, Client, NoInput } from '../client/call.ts'
export { type ClientOptions, client, type FetchLike } from '../client/client.ts'
export { type Credentials, credentials } from '../client/credentials.ts'
export { ConnectionError } from '../client/noAnswer.ts'
export { type DeclaredErrorOf, isDeclaredError } from '../client/raised.ts'
export { revalidate } from '../client/revalidated.ts'
export { StreamInterruptedError } from '../client/streamInterrupted.ts'
export { UnexpectedResponseError } from '../client/unexpectedAnswer.ts'
// Declarations of programs that export their client name it.
export type { Loose } from '../links/linkInput.ts'
