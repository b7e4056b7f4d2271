/** An API that was described with another copy of this package, as one of this copy: what its codecs refuse, and raise, is told by its class here. */
import {
  type AnyEndpoint,
  type AnyReply,
  type Api,
  type Codec,
  type Content,
  HttpError,
  type HttpErrorOptions,
  isParseError,
  type MediaTypeDefinition,
  ParseError,
} from 'lapidary'
import { type AnyParameter, isOperation } from 'lapidary/internal'
import { isParseErrorLike } from './call/response.ts'

type AnyMedium = MediaTypeDefinition<unknown>
type AnyContent = Content<unknown, unknown>

const own = (value: unknown): unknown =>
  isParseErrorLike(value) && !isParseError(value) ? new ParseError((value as ParseError).issues) : value

/** The same function, which remembers: whoever asks whether two things are one is told so still. */
function remembered<Thing extends object>(adopt: (thing: Thing) => Thing): (thing: Thing) => Thing {
  const known = new WeakMap<Thing, Thing>()
  return (thing) => {
    const found = known.get(thing) ?? adopt(thing)
    known.set(thing, found)
    return found
  }
}

const parameter = remembered((given: AnyParameter | Codec<unknown>): AnyParameter => {
  const read: AnyParameter['read'] = (texts) => own(given.read(texts))
  return 'parse' in given ? ({ ...given, read, parse: (text: string) => own(given.parse(text)) } as AnyParameter) : { ...given, read }
})

async function* ownIn(values: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  for await (const value of values) yield own(value)
}

const medium = remembered(
  ({ reader, streamReader, ...rest }: AnyMedium): AnyMedium => ({
    ...rest,
    ...(reader === undefined
      ? {}
      : {
          reader: (schema) => {
            const read = reader(schema)
            return (bytes) => own(read(bytes))
          },
        }),
    ...(streamReader === undefined
      ? {}
      : {
          streamReader: (schema) => {
            const read = streamReader(schema)
            return (pieces) => ownIn(read(pieces))
          },
        }),
  }),
)

const content = remembered(({ schema, media }: AnyContent): AnyContent => ({ schema, media: media.map(medium) }))

const each = <Thing>(record: Readonly<Record<string, Thing>>, adopt: (thing: Thing) => Thing): Record<string, Thing> =>
  Object.fromEntries(Object.entries(record).map(([name, thing]) => [name, adopt(thing)]))

const reply = remembered(
  (given: AnyReply): AnyReply => ({
    ...given,
    headers: each(given.headers, parameter),
    content: given.content && content(given.content),
  }),
)

const endpoint = remembered(
  (given: AnyEndpoint): AnyEndpoint => ({
    ...given,
    params: each(given.params as Readonly<Record<string, AnyParameter>>, parameter) as AnyEndpoint['params'],
    query: each(given.query, parameter),
    headers: each(given.headers, parameter),
    body: given.body && content(given.body),
    response: reply(given.response),
    errors: given.errors.map(reply),
  }),
)

/** The same API. Of one that was described with this very copy, it says the same as it did. */
export const adopted = (api: Api): Api =>
  each(api, (value) => {
    if (!isOperation(value)) return adopted(value)
    return value['~kind'] === 'mount' ? value : endpoint(value)
  })

/** An error that another copy raised, as one of this copy; undefined for any other. */
export function adoptedError(error: unknown): HttpError | undefined {
  if (!(error instanceof Error) || !('status' in error && 'headers' in error && 'received' in error)) return undefined
  const { status, received } = error
  return typeof status === 'number' && received === undefined ? new HttpError(status, error as HttpErrorOptions) : undefined
}
