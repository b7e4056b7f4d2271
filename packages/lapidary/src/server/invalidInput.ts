/** The error of input that cannot be read. */
import type { InputError } from '../contract/parameters/parameterGroups.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import { HttpError, markToolkitError, type Problem, type ProblemError } from '../http/httpError.ts'
import { getCause, maxListedErrors } from '../json-schema/parseError.ts'
import { problemDetail } from '../messages/problemMessages.ts'

/** All listed errors together have at most this many bytes of JSON. With the rest of the problem, a response has at most 16 KB. */
const maxListedBytes = 15_360

/** The most characters of one text. The texts of one error fit into the bytes above, however they are escaped. */
const maxTextLengths = { pointer: 512, name: 256, detail: 1_024 } as const

/** The pointer; of one that is too long, the nearest place above it that fits. */
const shortenPointer = (pointer: string): string =>
  pointer.length <= maxTextLengths.pointer ? pointer : pointer.slice(0, pointer.lastIndexOf('/', maxTextLengths.pointer))

/** The text, or its beginning. A schema's message may quote a thousand names. */
export const truncateText = (text: string, maxLength: number = maxTextLengths.detail): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`

/** A name that is too long is left out: half of it would be another name. */
const shortenError = ({ in: place, name, pointer, detail }: ProblemError): ProblemError => ({
  in: place,
  ...(name === undefined || name.length > maxTextLengths.name ? {} : { name }),
  ...(pointer === undefined ? {} : { pointer: shortenPointer(pointer) }),
  detail: truncateText(detail),
})

/** The first errors, shortened, and the number of those that are left out. @param more how many were found besides `errors` */
export function limitErrors(errors: readonly ProblemError[], more = 0): Pick<Problem, 'errors' | 'more'> {
  const listed: ProblemError[] = []
  let bytes = 0
  for (const error of errors.slice(0, maxListedErrors)) {
    const short = shortenError(error)
    bytes += encodeUtf8(JSON.stringify(short)).length + 1
    if (bytes > maxListedBytes) break
    listed.push(short)
  }
  const omitted = errors.length - listed.length + more
  return omitted === 0 ? { errors: listed } : { errors: listed, more: omitted }
}

/**
 * 400 for input that cannot be read, with the first errors. An HttpError of a handler is another class: it is sent exactly as it was
 * thrown.
 */
export class InvalidInputError extends HttpError<400> {
  readonly more: number | undefined

  /** @param omitted how many errors there are besides `all` */
  constructor(
    part: 'path' | 'query' | 'header' | 'cookie' | 'body',
    all: readonly InputError[],
    omitted = 0,
    detail: string = problemDetail.badInput(part),
  ) {
    const { errors, more } = limitErrors(all, omitted)
    super(400, { detail, errors, ...getCause(all.find((error) => 'cause' in error)) })
    markToolkitError(this)
    this.more = more
  }
}
