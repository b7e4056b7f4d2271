import * as complaint from '../messages/developerErrors.js'
/** The handler that stands at the place of an operation. @throws TypeError where there is none. */
export function findHandler(handlers, { path, name, operation }) {
  let here = handlers
  for (const key of path) here = typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined
  if (typeof here === 'function') return here
  throw new TypeError(complaint.missingHandler(name, operation['~kind'] === 'mount' ? `the mount ${operation.prefix}` : operation.route))
}
/** @throws TypeError for a handler without an endpoint: a typing slip in plain JavaScript. */
export function checkStrayHandlers(handlers, api, path = []) {
  for (const [key, value] of Object.entries(handlers ?? {})) {
    const there = Object.hasOwn(api, key) ? api[key] : undefined
    if (there === undefined) throw new TypeError(complaint.unknownHandler([...path, key].join('.')))
    if (typeof value === 'object' && typeof there['~kind'] !== 'string') checkStrayHandlers(value, there, [...path, key])
  }
}
