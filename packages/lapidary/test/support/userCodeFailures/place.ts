/** A place where the toolkit calls code of a user, and what the tables of such places share. */
import { codec } from 'lapidary'
import type { ErrorListener, HttpHandler } from 'lapidary/server'

/** Throws, or gives a promise that rejects. */
export type Fail = () => never

/** A call that fails. */
export interface Place {
  /** The server; it tells `report` of what fails. */
  readonly handler: (fail: Fail, report: ErrorListener) => HttpHandler
  readonly method?: string
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** What the client gets: 500, or a connection that is cut, or its answer all the same. Default: 500. */
  readonly gets?: 500 | 'cut' | 200
  /** Whether a promise is none of the call's results: then it only throws. */
  readonly isSynchronous?: true
  /** Whether it is console.error that hears of it. */
  readonly onConsole?: true
}

export const failingCodec = (part: Partial<Record<'parse' | 'print', Fail>>) =>
  codec<string>({
    name: 'failing',
    parse: (given) => given,
    // The example is printed when the codec is made.
    print: (value) => (value === 'example' ? value : (part.print?.() ?? value)),
    schema: { type: 'string' },
    example: 'example',
    ...(part.parse && { parse: part.parse }),
  })

/** Lets a handler return what its type forbids, as JavaScript does. */
export const wrongly = (value: unknown): never => value as never
