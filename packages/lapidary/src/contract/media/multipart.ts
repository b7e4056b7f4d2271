/** `multipart` and `multipartStream`: forms with files (`multipart/form-data`, RFC 7578). */
import { parseSchema } from '../../json-schema/schemaNode.ts'
import { createSchema, type Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { getFileLimits, type StreamedFile, type UploadedFile } from '../parameters/file.ts'
import {
  type AnyParameter,
  type Codec,
  describeDefinitionValue,
  getListItem,
  type ParameterRecord,
  type ReadValue,
  type ReadValues,
  type WrittenValues,
} from '../parameters/parameter.ts'
import { type Content, mediaType } from './mediaType.ts'

/** A value of a form, under its name. */
type FormEntry = readonly [name: string, value: string | Blob]

/** As browsers do it (WHATWG, multipart/form-data encoding algorithm). */
const escapeFileName = (text: string): string => text.replace(/[\r\n"]/g, encodeURIComponent)
const escapeName = (text: string): string => escapeFileName(text.replace(/\r\n|\r|\n/g, '\r\n'))

function formatPartHead([name, value]: FormEntry): string {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`
  if (typeof value === 'string') return `${disposition}\r\n\r\n`
  const fileName = value instanceof File ? value.name : 'blob'
  return `${disposition}; filename="${escapeFileName(fileName)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`
}

/** Writes a form. The boundary is in the type of the Blob; no file is read before the Blob is. */
export function encodeMultipart(entries: readonly FormEntry[], boundary: string = crypto.randomUUID().replaceAll('-', '')): Blob {
  const parts = entries.flatMap((entry) => [`--${boundary}\r\n${formatPartHead(entry)}`, entry[1], '\r\n'])
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` })
}

/** The entries of a form under a declared name, as they are. The server reads the texts. @throws TypeError where it cannot. */
function listFormDataValues(form: FormData, name: string, parameter: AnyParameter): readonly (string | Blob)[] {
  const values = form.getAll(name)
  if (values.length === 0 && parameter.required) throw new TypeError(developerErrors.missingFormPart(name))
  const isFile = getFileLimits(parameter) !== undefined
  if (values.some((value) => value instanceof Blob !== isFile)) throw new TypeError(developerErrors.wrongFormPart(name, isFile))
  return values
}

/**
 * The texts and the files of a value.
 *
 * @throws TypeError for a value that a codec does not write, and for a `FormData` that lacks a part.
 */
export const listFormEntries = (parts: ParameterRecord, value: Readonly<Record<string, unknown>> | FormData): readonly FormEntry[] =>
  Object.entries(parts).flatMap(([name, parameter]) =>
    (value instanceof FormData ? listFormDataValues(value, name, parameter) : parameter.write(value[name])).map(
      (text): FormEntry => [name, text],
    ),
  )

/** The value of a form whose files are written as texts, as a value of its JSON Schema has them. */
export function toFormValue(parts: ParameterRecord, value: unknown): Readonly<Record<string, unknown>> {
  const members = Object.entries(Object(value) as Readonly<Record<string, unknown>>).map(([name, member]) => {
    const parameter = parts[name]
    const limits = parameter === undefined ? undefined : getFileLimits(parameter)
    if (limits === undefined) return [name, member]
    const type = (limits.types[0] ?? '').replace('*', 'x')
    const toFile = (text: unknown): unknown =>
      typeof text === 'string' ? new Blob([new Blob([text]).slice(0, limits.maxSize)], { type }) : text
    return [name, Array.isArray(member) ? member.map(toFile) : toFile(member)]
  })
  return Object.fromEntries(members)
}

/** The boundary of examples, which are the same each time. */
export const exampleBoundary = 'boundary'

/** The sum of the declared sizes of the files in a form; 0 for any other body. */
export const getDeclaredFileSize = (content: Content<unknown, unknown> | undefined): number =>
  (content?.media ?? [])
    .flatMap(({ parts = {} }) => Object.values(parts))
    .map(getFileLimits)
    .reduce((sum, limits) => sum + (limits?.maxSize ?? 0) * (limits?.maxItems ?? 1), 0)

/** The JSON Schema of a form, for documentation and comparison. The reader of the form validates its parts. */
function createFormSchema(parts: ParameterRecord): Schema {
  const required = Object.entries(parts).flatMap(([name, parameter]) => (parameter.required ? [name] : []))
  const properties = Object.fromEntries(
    Object.entries(parts).map(([name, { jsonSchema, description }]) => [name, { ...jsonSchema, ...(description && { description }) }]),
  )
  const jsonSchema = { type: 'object', properties, ...(required.length > 0 && { required }) }
  parseSchema(jsonSchema)
  return createSchema({ validate: (value) => ({ value }), getJsonSchema: () => jsonSchema })
}

/**
 * A form with files. Each part has a codec, or is a `file`; `optional` and `array` as for query parameters. A handler gets the whole record
 * when all of it has arrived: texts decoded, small files in memory, large ones in a temporary file without a name, which is removed when
 * the request ends. Parts that are not declared are dropped.
 *
 * A call takes the record, or a `FormData`, such as that of a form on a page: its parts are sent as they are, and those that are not declared
 * are left out.
 *
 * A form has at most 1,000 parts, and its texts 1,048,576 bytes. If the endpoint has no `maxBodySize`, the limit is the `maxBodySize` of
 * `serve` plus the declared `maxSize` of each file. A list of files with a `maxSize` then needs `maxItems`.
 *
 * @example
 * ```ts
 * import { created, endpoint, file, multipart, text } from 'lapidary'
 *
 * const photo = endpoint('POST /photos', {
 *   body: multipart({ title: text, photo: file({ maxSize: '5 MB', types: ['image/*'] }) }),
 *   response: created(text),
 * })
 * ```
 */
export function multipart<const Parts extends ParameterRecord>(parts: Parts): Content<WrittenValues<Parts> | FormData, ReadValues<Parts>> {
  return createForm('multipart()', parts, false)
}

/** @throws TypeError for a part without a codec, and for a list whose values cannot be read one by one. */
function createForm(place: string, parts: ParameterRecord, isPartStream: boolean): Content<never, never> {
  for (const [name, parameter] of Object.entries(parts)) {
    if (typeof parameter?.read !== 'function')
      throw new TypeError(developerErrors.expectedCodec(place, name, describeDefinitionValue(parameter)))
    if (isPartStream && parameter.repeats && getListItem(parameter) === undefined)
      throw new TypeError(developerErrors.indivisiblePart(name))
  }
  const record: ParameterRecord = Object.freeze({ ...parts })
  const { media } = mediaType<Readonly<Record<string, unknown>> | FormData>({
    types: ['multipart/form-data'],
    parts: record,
    ...(isPartStream && { isPartStream }),
    writer: () => (value) => encodeMultipart(listFormEntries(record, value)),
  })
  // The reader of the form makes what the type says, and the schema describes it.
  return Object.freeze({ schema: createFormSchema(record), media }) as unknown as Content<never, never>
}

/** The value of one part. A list has a part for each of its values. */
type PartValue<P> =
  P extends Codec<infer Value>
    ? Value
    : Exclude<ReadValue<P>, undefined> extends readonly (infer Item)[]
      ? Item
      : Exclude<ReadValue<P>, undefined>

/** A part of a form that is read part by part. `name` says which one it is: a text has a decoded `value`, a file has a `file`. */
export type FormPart<Parts extends ParameterRecord> = {
  readonly [Name in keyof Parts]: PartValue<Parts[Name]> extends UploadedFile
    ? { readonly name: Name; readonly file: StreamedFile }
    : { readonly name: Name; readonly value: PartValue<Parts[Name]> }
}[keyof Parts]

/**
 * A form as `multipart` has it, which a handler reads part by part while it arrives. Its files are neither kept in memory nor written to a
 * temporary file, and the client can send only as fast as the handler reads.
 *
 * A handler gets an `AsyncIterable` of parts, in the order in which the client sends them. A part has a `name`, and a decoded `value` or a
 * `file`. A list has one part for each of its values. The file of a part can be read until the next part is asked for, which drops what is
 * left of it. Parts that are not declared are dropped.
 *
 * The loop throws the errors of the form: 413 for a file or a form that is too large, 415 for a file of another type, 400 for an invalid
 * part, for a second one of the same name, and for a form that breaks off. At the end it throws 400 if a part is missing. An error that the
 * handler does not catch is the response. If a handler leaves the loop early, the rest of the form is dropped, and nothing checks it.
 *
 * A call takes the same values as that of `multipart`, and sends the parts in the declared order. The limits are those of `multipart`.
 *
 * @example
 * ```ts
 * import { createWriteStream } from 'node:fs'
 * import { pipeline } from 'node:stream/promises'
 * import { endpoint, file, multipartStream, noContent, text } from 'lapidary'
 * import { serve } from 'lapidary/server'
 *
 * const form = multipartStream({ title: text, film: file({ maxSize: '5 GB', types: ['video/*'] }) })
 * const api = { upload: endpoint('POST /films', { body: form, response: noContent }) }
 * const server = serve(api, {
 *   upload: async ({ body }) => {
 *     for await (const part of body) {
 *       if (part.name === 'film') await pipeline(part.file, createWriteStream('film.part'))
 *       else console.log(part.value)
 *     }
 *   },
 * })
 * ```
 */
export function multipartStream<const Parts extends ParameterRecord>(
  parts: Parts,
): Content<WrittenValues<Parts> | FormData, AsyncIterable<FormPart<Parts>>> {
  return createForm('multipartStream()', parts, true)
}
