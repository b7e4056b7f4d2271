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

/** The headers of an error, and those of its reply that it has not itself, in whatever case. */
function both(own: HttpErrorOptions['headers'] = {}, shown: Readonly<Record<string, string>>): NonNullable<HttpErrorOptions['headers']> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...own, ...Object.fromEntries(Object.entries(shown).filter(([name]) => !names.has(name.toLowerCase()))) }
}

/** An error of this status as the endpoint declares it, body and headers included; undeclared, it is problem details with these words. */
export function declared({ route, errors }: AnyEndpoint, status: number, options: HttpErrorOptions): HttpError {
  const reply = errors.find((error) => error.status === status)
  if (reply === undefined) return new (errorClass(status))(options)
  const drawn = draw(route, status)
  const headers = both(options.headers, linesOf(headersMaking(reply)(drawn), reply))
  if (reply.content === undefined) return new (errorClass(status))({ ...options, headers })
  const body = replyMaking(route, { ...reply, headers: {} })(drawn, {})
  return new (errorClass(status))({ ...options, headers, body })
}
