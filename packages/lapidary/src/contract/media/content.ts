/** `content(User, json, form)`: a schema, and the media types in which its value can be sent. */
import { getEssence } from '../../http/mediaTypes.ts'
import { assertSchema, type Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { json } from './json.ts'
import { type Content, isReadOnArrival, type MediaTypeDefinition, type OptionalBody } from './mediaType.ts'

/** The body of a request or a reply: a schema (its value is sent as JSON), a content, or a media type alone. */
export type Body<Input, Output> = Schema<Input, Output> | Content<Input, Output>

/**
 * A body in one of several media types. Content-Type says which media type a request has, and Accept chooses the media type of a response.
 *
 * @param media The preferred one first.
 * @throws TypeError for a schema that is not a Standard Schema or has no JSON Schema.
 * @example
 * ```ts
 * import { content, endpoint, form, json, noContent } from 'lapidary'
 * import { z } from 'zod'
 *
 * const User = z.object({ name: z.string() })
 * const create = endpoint('POST /users', { body: content(User, json, form), response: noContent })
 * ```
 */
export function content<Input, Output>(
  schema: Schema<Input, Output>,
  ...media: readonly MediaTypeDefinition<NoInfer<Output>>[]
): Content<Input, Output> {
  assertSchema(schema)
  if (media.length === 0) throw new TypeError(developerErrors.missingMediaType())
  return Object.freeze({ schema, media: Object.freeze([...media]) })
}

/**
 * Any body as a content.
 *
 * @throws TypeError for a value that is neither a schema nor a content.
 */
export const toContent = <Input, Output>(body: Body<Input, Output>): Content<Input, Output> =>
  Array.isArray((body as Partial<Content<Input, Output>> | null)?.media)
    ? (body as Content<Input, Output>)
    : content(body as Schema<Input, Output>, json)

/** @throws TypeError for a stream and for a form with files: both are read by the handler, which can tell an empty one. */
export function createOptionalBody<Input, Output>(body: Body<Input, Output>): OptionalBody<Input, Output> {
  const { schema, media } = toContent(body)
  const unsuited = media.find(isReadOnArrival)
  if (unsuited !== undefined) throw new TypeError(developerErrors.unsuitedOptionalBody(unsuited.types[0]))
  return Object.freeze({ schema, media, isOptional: true as const })
}

/** The media types of a content, without parameters. */
export const getEssences = ({ media }: Pick<Content<unknown, unknown>, 'media'>): readonly string[] => [
  ...new Set(media.flatMap(({ types }) => types.map(getEssence))),
]

const removeParameters = (type: string): string => type.split(';', 1)[0] ?? type

/**
 * Whether Accept chooses among several types, so that a response needs `Vary: Accept`. `application/json` with and without a charset is one
 * type. A file that is downloaded has a type already.
 */
export const isNegotiated = ({ media, isDownload }: Content<unknown, unknown>): boolean =>
  !isDownload && (media.length > 1 || media.some(({ types }) => new Set(types.map(removeParameters)).size > 1))
