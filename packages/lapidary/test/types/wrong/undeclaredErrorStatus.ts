/** A status that the endpoint does not declare as an error. */
import { endpoint, ok, reply, text } from 'lapidary'
import { isDeclaredError } from 'lapidary/client'

const order = endpoint('POST /orders', { response: ok(text), errors: [reply(409, text), reply(404)] })

export const isGone = (error: unknown): boolean => isDeclaredError(order, error) && error.status === 410
