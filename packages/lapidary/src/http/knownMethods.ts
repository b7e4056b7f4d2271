/** Methods as the attributes of spans and metrics have them. A client can send any method, and names and labels must be few. */

/** RFC 9110 §9.1, RFC 5789, and QUERY. */
const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'QUERY'])

/** Returns a method as `http.request.method` has it. */
export const toKnownMethod = (method: string): string => (knownMethods.has(method) ? method : '_OTHER')

/** Returns an unknown method, as `http.request.method_original` has it. */
export const toOriginalMethod = (method: string): string | undefined => (knownMethods.has(method) ? undefined : method)
