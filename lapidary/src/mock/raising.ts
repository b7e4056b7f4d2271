/** Errors in the form that an endpoint declares for them. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { errorClass, type HttpError, type HttpErrorOptions } from '../describe/error.ts'
import { draw } from './draw.ts'
import { headersMaking, replyMaking } from './success.ts'

/** The header lines of an error: those that its reply declares, printed. */
function linesOf(values: Readonly<Record<string, unknown>>, error: AnyEndpoint['response']): Readonly<Record<string, string>> {
  const lines = Object.entries(error.headers).map(([name, { write }]) => [name, write(values[name]).join(',')] as const)
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}

/** An error of this status as the endpoint declares it, body and headers included; undeclared, it is problem details with these words. */
export function declared({ route, errors }: AnyEndpoint, status: number, options: HttpErrorOptions): HttpError {
  const reply = errors.find((error) => error.status === status)
  if (reply === undefined) return new (errorClass(status))(options)
  const drawn = draw(route, status)
  const headers = { ...linesOf(headersMaking(reply)(drawn), reply), ...options.headers }
  if (reply.content === undefined) return new (errorClass(status))({ ...options, headers })
  const body = replyMaking(route, { ...reply, headers: {} })(drawn, {})
  return new (errorClass(status))({ ...options, headers, body })
}
