/** Options of middleware, which plain JavaScript can get wrong: the kind of a value, a handler in their place, unknown names. */
import { checkOptions, describeKind } from '../http/functions.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'

/** @throws TypeError for a function where a middleware takes its options: it stands in the list, and was not called there. */
export function refuseHandler(place: string, options: unknown): void {
  if (typeof options === 'function') throw new TypeError(middlewareErrors.uncalledMiddleware(place))
}

/** @throws TypeError for anything but an object with known names. */
export function checkMiddlewareOptions(place: string, options: object, names: readonly string[]): void {
  refuseHandler(place, options)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(middlewareErrors.expectedOptions(place, describeKind(options), names.join(', ')))
  checkOptions(place, options, names.join(', '))
}
