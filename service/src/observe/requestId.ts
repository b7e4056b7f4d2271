/** The name of a request: the one that somebody before us has given it, or a new one. */
import { randomUUID } from 'node:crypto'

/** What can stand in a header, a log line and a question to support as it is. */
const form = /^[A-Za-z0-9._-]{1,64}$/

/** The value of `X-Request-Id`, where it is one. */
export const requestId = (given: string | undefined): string => (given !== undefined && form.test(given) ? given : randomUUID())
