/** W3C Trace Context (https://www.w3.org/TR/trace-context/): to which trace a request belongs, read strictly. */

const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const zeros = /^0+$/

/**
 * The trace that a `traceparent` names, as 32 hexadecimal digits; undefined where it is none. A version later than ours is read as far as we know
 * it (§4.3): what it has more comes behind a hyphen.
 */
export function traceId(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined
  const [, version, trace = '', span = '', more] = form.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return zeros.test(trace) || zeros.test(span) ? undefined : trace
}
