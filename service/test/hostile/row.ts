/** Rows of the corpus: the bytes to send and the expected replies. */
import type { Reply } from './replies.ts'
import type { Wire } from './wire.ts'

/** Bytes, as Latin-1 where they are text, or something to do before the next ones. */
export type Piece = string | Uint8Array | ((wire: Wire) => unknown)

/** One status, or those of which one will do. */
export type Status = number | readonly number[]

/** One hostile exchange over a connection of its own. */
export interface Row {
  readonly name: string
  readonly pieces: readonly Piece[]
  /** One for each reply; there are exactly as many. */
  readonly statuses: readonly Status[]
  /** Whether the connection is good for another request, or closed by the service; undefined where both will do. */
  readonly stays: boolean | undefined
  /** The address that it is sent from. */
  readonly from?: string
  /** What else is wrong with the replies. */
  readonly also?: (replies: readonly Reply[]) => string | undefined
}

type Sent = string | Uint8Array | readonly Piece[]

const piecesOf = (sent: Sent): readonly Piece[] => (typeof sent === 'string' || sent instanceof Uint8Array ? [sent] : sent)
const row =
  (stays: boolean | undefined) =>
  (name: string, sent: Sent, ...statuses: readonly Status[]): Row => ({ name, pieces: piecesOf(sent), statuses, stays })

/** Is answered, and the connection is as good as before. */
export const served: (name: string, sent: Sent, ...statuses: readonly Status[]) => Row = row(true)
/** Is answered, and the connection is closed. */
export const refused: typeof served = row(false)
/** Is answered, with the connection kept or not. */
export const judged: typeof served = row(undefined)

/** The same row, with a further rule: what is wrong, or nothing. */
export const where = (rule: Row, also: NonNullable<Row['also']>): Row => ({ ...rule, also })

/** The last body is exactly this text. */
export const saying = (rule: Row, text: string): Row =>
  where(rule, (replies) => {
    const body = replies.at(-1)?.body.toString('utf8')
    return body === text ? undefined : `it said ${JSON.stringify(body?.slice(0, 200))} in place of ${JSON.stringify(text.slice(0, 200))}`
  })

/** UTF-8, as the Latin-1 text of its bytes. */
export const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** The head of a request. */
export const head = (line: string, ...lines: readonly string[]): string =>
  `${[`${line} HTTP/1.1`, 'Host: hostile.invalid', ...lines].join('\r\n')}\r\n\r\n`
export const get = (target: string, ...lines: readonly string[]): string => head(`GET ${target}`, ...lines)
/** A request with a body, whose bytes are written as Latin-1. */
export const post = (target: string, type: string, body: string, ...lines: readonly string[]): string =>
  head(`POST ${target}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`, ...lines) + body
/** The head of a request with a text to echo, whose length the lines give. */
export const text = (...lines: readonly string[]): string => head('POST /echo/text', 'Content-Type: text/plain', ...lines)

/** A request that no client made: bytes hidden in a body or behind a refusal. No reply and no log line may ever show it. */
export const hidden: string = get('/hello?name=smuggled')
