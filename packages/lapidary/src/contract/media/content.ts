/** `content(User, json, form)`: one value, and the media in which it may stand on the wire. */

import { getEssence } from '../../http/mediaTypeParser.ts'
import { assertSchema, type Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { json } from './json.ts'
import type { Content, MediaTypeDefinition } from './mediaType.ts'

/** What may be declared as a body: a schema (then it is JSON), a content, or a medium alone. */
export type Body<Input, Output> = Schema<Input, Output> | Content<Input, Output>

/**
 * A body in the media given, the preferred one first. A request body is read in the medium that its Content-Type names;
 * a response is written in the one that Accept prefers.
 */
export function content<Input, Output>(
  schema: Schema<Input, Output>,
  ...media: readonly MediaTypeDefinition<NoInfer<Output>>[]
): Content<Input, Output> {
  assertSchema(schema)
  if (media.length === 0) throw new TypeError(developerErrors.missingMediaType())
  return Object.freeze({ schema, media: Object.freeze([...media]) })
}

/** Any body as a content. @throws TypeError for what is neither a schema nor a content. */
export const toContent = <Input, Output>(body: Body<Input, Output>): Content<Input, Output> =>
  Array.isArray((body as Partial<Content<Input, Output>> | null)?.media)
    ? (body as Content<Input, Output>)
    : content(body as Schema<Input, Output>, json)

/** The media types that name a content, without their parameters. */
export const getEssences = ({ media }: Pick<Content<unknown, unknown>, 'media'>): readonly string[] => [
  ...new Set(media.flatMap(({ types }) => types.map(getEssence))),
]

const removeParameters = (type: string): string => type.split(';', 1)[0] ?? type

/** Whether Accept chooses among several types, so that answers say `Vary: Accept`. `application/json` with and without its charset is one. */
export const isNegotiated = ({ media }: Content<unknown, unknown>): boolean =>
  media.length > 1 || media.some(({ types }) => new Set(types.map(removeParameters)).size > 1)
