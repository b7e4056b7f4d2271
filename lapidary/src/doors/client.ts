/** The public door of the client: it runs wherever there is a `fetch`. */
export type { Call, CallInput, CallOptions, Client, NoInput } from '../client/call.ts'
export { type ClientOptions, client, type Send } from '../client/client.ts'
export { type Credentials, credentials } from '../client/credentials.ts'
export { NoAnswer } from '../client/noAnswer.ts'
export { type RaisedBy, raised } from '../client/raised.ts'
export { revalidated } from '../client/revalidated.ts'
export { StreamInterrupted } from '../client/streamInterrupted.ts'
export { UnexpectedAnswer } from '../client/unexpectedAnswer.ts'
// Declarations of programs that export their client name it.
export type { Loose } from '../links/linkInput.ts'
