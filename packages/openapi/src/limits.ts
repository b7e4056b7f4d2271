/** Limits: what a document says that an API value cannot say, each with its place. */

/** The kinds of limits, each with what it is about. Tables count by them. */
export const limitKinds = {
  'allow-reserved': 'a parameter whose value is not percent-encoded',
  'auth-form': 'credentials that the toolkit cannot read or write by itself',
  callback: 'a request that the server sends after an operation',
  'default-response': 'a response for any status, in place of one of success',
  discriminator: 'a schema whose subtypes are named by a member',
  encoding: 'the encoding of a part of a form',
  endpoint: 'an operation that no endpoint can be',
  'form-part': 'a part of a form that is neither a text nor a file',
  'get-body': 'a body of a method that has none',
  header: 'a header that the toolkit or HTTP sets itself',
  link: 'a link from a response to another operation',
  'malformed-part': 'a part with a value that it cannot have',
  'malformed-schema': 'a keyword with a value that it cannot have',
  'media-type': 'a media type that is not read',
  'missing-type': 'a schema with members and without a type, which a written module restricts to objects',
  method: 'a method that the server answers itself, or that not every platform passes on',
  'no-success': 'an operation without a response of success',
  'optional-form': 'a form with files, or a stream, that a request need not have',
  'parameter-form': 'a parameter that is no text, no list of texts and no flat object',
  'parameter-name': 'a name that a parameter cannot have',
  'parameter-style': 'a style of a parameter that is not read',
  path: 'a path that is not made of whole segments',
  reference: 'a reference that leads nowhere',
  'response-default': 'a default of a member that a response need not have',
  'schema-keyword': 'a keyword of a schema that is not read',
  security: 'a security scheme that no request can be checked for',
  server: 'a server of one path or operation',
  'slow-pattern': 'a pattern that may take years to match a text',
  status: 'a status that no reply has',
  'status-range': 'a response for a range of statuses of success',
  'stream-schema': 'a stream whose values are not read one by one',
  webhook: 'a webhook that the toolkit cannot send',
} as const

/** The kind of a limit. */
export type LimitKind = keyof typeof limitKinds

/** What a document says and the API value does not. */
export interface Limit {
  readonly kind: LimitKind
  /** Where the document says it: a JSON Pointer (RFC 6901). */
  readonly pointer: string
  /** What the document says, and what the API says instead. */
  readonly message: string
}

/** Collects limits. Each is reported once, however many operations use its place. */
export class LimitList {
  private readonly limits = new Map<string, Limit>()

  add(kind: LimitKind, pointer: string, message: string): void {
    const key = `${kind} ${pointer} ${message}`
    if (!this.limits.has(key)) this.limits.set(key, { kind, pointer, message })
  }

  list(): readonly Limit[] {
    return [...this.limits.values()]
  }
}
