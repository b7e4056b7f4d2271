/** `file`: a file in a form of `multipart`. */
import { checkOptions } from '../../http/functions.ts'
import { type ByteSize, requireByteSize } from '../../http/limits.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { type ParseError, parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import type { AnyParameter, Parameter, ParameterInput, ParameterOptions } from './parameter.ts'

/**
 * A file that a client has sent, with the members of the web's `File`. It can be read, any number of times, until the request ends. After
 * that the file no longer exists.
 */
export interface UploadedFile {
  /** The last segment of the name that the client has given, or an empty text. The client may have made it up. */
  readonly name: string
  /** The media type that the client has given, or an empty text. The content may be another. */
  readonly type: string
  /** In bytes. */
  readonly size: number
  stream(): ReadableStream<Uint8Array<ArrayBuffer>>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  arrayBuffer(): Promise<ArrayBuffer>
  /** The content as UTF-8. */
  text(): Promise<string>
}

/**
 * A file of a form that is read part by part. It is an iterable of its bytes, which arrive while it is read. It can be read once, and only
 * until the next part is asked for.
 */
export interface StreamedFile extends AsyncIterable<Uint8Array> {
  /** The last segment of the name that the client has given, or an empty text. The client may have made it up. */
  readonly name: string
  /** The media type that the client has given, or an empty text. The content may be another. */
  readonly type: string
}

/** A file of a form. A client writes a `Blob` or a `File`. */
export interface FilePart extends Parameter<UploadedFile, Blob> {
  /** The values of a form are texts and files: this one is a file already. */
  readonly parse: (file: string) => UploadedFile | ParseError
  readonly print: (file: Blob) => string
}

/** Options of `file`. */
interface FileOptions extends Pick<ParameterOptions<never>, 'description'> {
  /** The largest file, such as `'5 MB'`; a larger file gets 413. @default the `maxBodySize` of the endpoint */
  readonly maxSize?: ByteSize
  /** Media types such as `image/png` or `image/*`; a file of another type gets 415. @default any */
  readonly types?: readonly string[]
}

/** Of a file, or of the files of a list. */
const getFileSchema = ({ jsonSchema }: AnyParameter): JsonSchema =>
  jsonSchema.type === 'array' && typeof jsonSchema.items === 'object' ? jsonSchema.items : jsonSchema

/** What a form may have under a name; undefined where it is no file. */
export interface FileLimits {
  /** In bytes. */
  readonly maxSize: number | undefined
  readonly types: readonly string[]
  /** How many; undefined: any number. */
  readonly maxItems: number | undefined
}

/** The limits of a file, or of each file of a list; undefined for any other parameter. */
export function getFileLimits(parameter: AnyParameter): FileLimits | undefined {
  const { contentMediaType, maxLength } = getFileSchema(parameter) as { readonly contentMediaType?: string; readonly maxLength?: number }
  if (contentMediaType === undefined) return undefined
  const types = contentMediaType === anyType ? [] : contentMediaType.split(', ')
  return { maxSize: maxLength, types, maxItems: parameter.repeats ? parameter.jsonSchema.maxItems : 1 }
}

const anyType = 'application/octet-stream'

const mediaRangePattern = /^[!#$%&'+\-.^_`|~0-9a-z]+\/(?:\*|[!#$%&'+\-.^_`|~0-9a-z]+)$/

/**
 * A file of a form; see `multipart`.
 *
 * @example
 * ```ts
 * import { array, endpoint, file, multipart, noContent, optional, text } from 'lapidary'
 *
 * const photo = file({ maxSize: '5 MB', types: ['image/*'] })
 * const form = multipart({ title: text, photo, notes: array(photo, { maxItems: 4 }), cover: optional(photo) })
 * const upload = endpoint('POST /photos', { body: form, response: noContent })
 * ```
 */
export function file(options: FileOptions = {}): FilePart {
  checkOptions('file()', options, 'maxSize, types, description')
  const { maxSize, types = [], description } = options
  const wrong = types.find((type) => !mediaRangePattern.test(type))
  if (wrong !== undefined) throw new TypeError(developerErrors.invalidFileType(wrong))
  const jsonSchema: JsonSchema = {
    type: 'string',
    contentMediaType: types.length === 0 ? anyType : types.join(', '),
    ...(maxSize !== undefined && { maxLength: requireByteSize('file()', 'maxSize', maxSize) }),
  }
  const print = (value: Blob): string => {
    if (!(value instanceof Blob)) throw new TypeError(developerErrors.unencodableValue(value, 'a Blob or a File'))
    // A form has files beside its texts.
    return value as unknown as string
  }
  return Object.freeze({
    ...(description !== undefined && { description }),
    name: 'file',
    required: true,
    repeats: false,
    jsonSchema,
    examples: [],
    parse: (value: string) => value as unknown as UploadedFile,
    print,
    read: ({ values }: ParameterInput) => {
      const [value] = values
      if (value === undefined) return parseError(expectation.aFile())
      return values.length === 1 ? (value as unknown as UploadedFile) : parseError(expectation.oneValue(values.length))
    },
    write: (value: Blob) => [print(value)],
  })
}
