/** The error of input that cannot be read. */
import { HttpError } from '../http/httpError.ts'
import type { ProblemError } from '../http/problemDetails.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { limitErrors } from './limitErrors.ts'

/**
 * 400 for input that cannot be read, with the first errors. An HttpError of a handler is another class: it is sent exactly as it was
 * thrown.
 */
export class InvalidInputError extends HttpError<400> {
  readonly more: number | undefined

  /** @param omitted how many errors there are besides `all` */
  constructor(
    part: 'query' | 'header' | 'cookie' | 'body',
    all: readonly ProblemError[],
    omitted = 0,
    detail: string = problemDetail.badInput(part),
  ) {
    const { errors, more } = limitErrors(all, omitted)
    super(400, { detail, errors })
    this.more = more
  }
}
