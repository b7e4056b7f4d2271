/** The error of a request of which a part cannot be read. */
import { BadRequest } from '../describe/errors.ts'
import { problemDetail } from '../describe/message.ts'
import type { ProblemError } from '../describe/problem.ts'
import { limitErrors } from '../describe/shortened.ts'

/** 400, with the first of what is wrong. Apart from what handlers raise, which is sent exactly as they raised it. */
export class InvalidInputError extends BadRequest {
  readonly more: number | undefined

  /** `more`: how many were found besides. */
  constructor(part: 'query' | 'header' | 'body', all: readonly ProblemError[], found = 0) {
    const { errors, more } = limitErrors(all, found)
    super({ detail: problemDetail.badInput(part), errors })
    this.more = more
  }
}
