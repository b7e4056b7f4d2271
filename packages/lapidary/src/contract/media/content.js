/** `content(User, json, form)`: one value, and the media in which it may stand on the wire. */
import { getEssence } from '../../http/mediaTypeParser.js'
import { assertSchema } from '../../json-schema/standardSchema.js'
import * as complaint from '../../messages/developerErrors.js'
import { json } from './json.js'
/**
 * A body in the media given, the preferred one first. A request body is read in the medium that its Content-Type names;
 * a response is written in the one that Accept prefers.
 */
export function content(schema, ...media) {
  assertSchema(schema)
  if (media.length === 0) throw new TypeError(complaint.missingMediaType())
  return Object.freeze({ schema, media: Object.freeze([...media]) })
}
/** Any body as a content. @throws TypeError for what is neither a schema nor a content. */
export const toContent = (body) => (Array.isArray(body?.media) ? body : content(body, json))
/** The media types that name a content, without their parameters. */
export const getEssences = ({ media }) => [...new Set(media.flatMap(({ types }) => types.map(getEssence)))]
const removeParameters = (type) => type.split(';', 1)[0] ?? type
/** Whether Accept chooses among several types, so that answers say `Vary: Accept`. `application/json` with and without its charset is one. */
export const isNegotiated = ({ media }) => media.length > 1 || media.some(({ types }) => new Set(types.map(removeParameters)).size > 1)
