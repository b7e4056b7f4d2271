/** Errors in the form that an endpoint declares for them. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getErrorClass, type HttpError, type HttpErrorOptions } from '../describe/error.ts'
import { drawNumber } from './draw.ts'
import { createHeadersMaker, createReplyMaker } from './success.ts'

/** The header lines of an error: those that its reply declares, printed. */
function writeErrorHeaders(values: Readonly<Record<string, unknown>>, error: AnyEndpoint['response']): Readonly<Record<string, string>> {
  const lines = Object.entries(error.headers).map(([name, { write }]) => [name, write(values[name]).join(',')] as const)
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}

/** The headers of an error, and those of its reply that it has not itself, in whatever case. */
function mergeErrorHeaders(
  own: HttpErrorOptions['headers'] = {},
  shown: Readonly<Record<string, string>>,
): NonNullable<HttpErrorOptions['headers']> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...own, ...Object.fromEntries(Object.entries(shown).filter(([name]) => !names.has(name.toLowerCase()))) }
}

/** An error of this status as the endpoint declares it, body and headers included; undeclared, it is problem details with these words. */
export function createDeclaredError({ route, errors }: AnyEndpoint, status: number, options: HttpErrorOptions): HttpError {
  const reply = errors.find((error) => error.status === status)
  if (reply === undefined) return new (getErrorClass(status))(options)
  const drawn = drawNumber(route, status)
  const headers = mergeErrorHeaders(options.headers, writeErrorHeaders(createHeadersMaker(reply)(drawn), reply))
  if (reply.content === undefined) return new (getErrorClass(status))({ ...options, headers })
  const body = createReplyMaker(route, { ...reply, headers: {} })(drawn, {})
  return new (getErrorClass(status))({ ...options, headers, body })
}
