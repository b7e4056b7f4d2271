/** `multipart`: forms with files (`multipart/form-data`, RFC 7578). */
import { parseSchema } from '../../json-schema/schemaNode.ts'
import { createSchema, type Schema } from '../../json-schema/standardSchema.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { getFileLimits } from '../parameters/file.ts'
import {
  type AnyParameter,
  describeDefinitionValue,
  type ParameterRecord,
  type ReadValues,
  type WrittenValues,
} from '../parameters/parameter.ts'
import { type Content, mediaType } from './mediaType.ts'

/** A value of a form, under its name. */
type FormEntry = readonly [name: string, value: string | Blob]

/** As browsers do it (WHATWG, multipart/form-data encoding algorithm). */
const escapeName = (text: string): string => text.replace(/\r\n|\r|\n|"/g, (found) => (found === '"' ? '%22' : '%0D%0A'))

function formatPartHead([name, value]: FormEntry): string {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`
  if (typeof value === 'string') return `${disposition}\r\n\r\n`
  const fileName = value instanceof File ? value.name : 'blob'
  return `${disposition}; filename="${escapeName(fileName)}"\r\nContent-Type: ${value.type || 'application/octet-stream'}\r\n\r\n`
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
  for (const [name, parameter] of Object.entries(parts))
    if (typeof parameter?.read !== 'function')
      throw new TypeError(developerErrors.expectedCodec('multipart()', name, describeDefinitionValue(parameter)))
  const record: ParameterRecord = Object.freeze({ ...parts })
  const { media } = mediaType<Readonly<Record<string, unknown>> | FormData>({
    types: ['multipart/form-data'],
    parts: record,
    writer: () => (value) => encodeMultipart(listFormEntries(record, value)),
  })
  // The reader of the form makes what the type says, and the schema describes it.
  return Object.freeze({ schema: createFormSchema(record), media }) as unknown as Content<never, never>
}
