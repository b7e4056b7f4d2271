/** Status codes and their reason phrases (RFC 9110 §15 and the IANA registry). */
import * as developerErrors from '../messages/developerErrors.ts'

/** The phrases of consecutive statuses, by the first of them. */
const reasonPhraseRuns: Readonly<Record<number, readonly string[]>> = {
  200: ['OK', 'Created', 'Accepted', 'Non-Authoritative Information', 'No Content', 'Reset Content', 'Partial Content'],
  300: ['Multiple Choices', 'Moved Permanently', 'Found', 'See Other', 'Not Modified'],
  307: ['Temporary Redirect', 'Permanent Redirect'],
  400: [
    'Bad Request',
    'Unauthorized',
    'Payment Required',
    'Forbidden',
    'Not Found',
    'Method Not Allowed',
    'Not Acceptable',
    'Proxy Authentication Required',
    'Request Timeout',
    'Conflict',
    'Gone',
    'Length Required',
    'Precondition Failed',
    'Content Too Large',
    'URI Too Long',
    'Unsupported Media Type',
    'Range Not Satisfiable',
    'Expectation Failed',
    "I'm a Teapot",
  ],
  421: ['Misdirected Request', 'Unprocessable Content', 'Locked', 'Failed Dependency', 'Too Early', 'Upgrade Required'],
  428: ['Precondition Required', 'Too Many Requests'],
  431: ['Request Header Fields Too Large'],
  451: ['Unavailable For Legal Reasons'],
  500: ['Internal Server Error', 'Not Implemented', 'Bad Gateway', 'Service Unavailable', 'Gateway Timeout', 'HTTP Version Not Supported'],
  507: ['Insufficient Storage'],
  511: ['Network Authentication Required'],
}

export const reasonPhrases: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(reasonPhraseRuns).flatMap(([first, phrases]) => phrases.map((phrase, index) => [Number(first) + index, phrase])),
)

/** The reason phrase of a status; `Status 299` for one without a phrase. */
export const getReasonPhrase = (status: number): string => reasonPhrases[status] ?? `Status ${status}`

/**
 * Checks the status of a response.
 *
 * @throws RangeError for one that is not final: its client would wait on. `Response.error()` has 0.
 */
export function assertFinalStatus(status: unknown): void {
  if (typeof status === 'number' && status >= 200 && status <= 999 && Number.isInteger(status)) return
  throw new RangeError(developerErrors.unsendableStatus(status))
}

/**
 * Whether a response of this status ends with its head, even if the head has a length. A 205 has no body either, but its head has to say so
 * (RFC 9110 §15.3.6).
 */
export const isAlwaysBodiless = (status: number): boolean => status === 204 || status === 304

/** Whether a response of this status has no body (RFC 9110 §6.4.1). */
export const isNullBodyStatus = (status: number): boolean => status === 204 || status === 205 || status === 304
