/** An answer that the description does not allow. */
import * as failure from '../describe/failure.ts'

/** What a call throws in place of a value that nobody vouches for: another success, another type, a body or a header of another form. */
export class UnexpectedResponseError extends Error {
  override readonly name: string = 'UnexpectedResponseError'
  readonly status: number
  /** As they came. */
  readonly headers: Headers
  /** What is wrong with it. */
  readonly detail: string

  /** `call` is what was called: `GET http://127.0.0.1:8081/hello`. */
  constructor(call: string, { status, headers }: Pick<Response, 'status' | 'headers'>, flaw: string) {
    super(failure.unexpectedResponse(call, status, flaw))
    this.status = status
    this.headers = headers
    this.detail = flaw
  }
}
