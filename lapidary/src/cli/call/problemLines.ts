/** Problem details (RFC 9457) as lines for people. */

/** A member of what may be anything. */
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Texts and numbers as they are; anything else as JSON. */
const shown = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `query limit: expected an integer such as 42`. */
function errorLine(error: unknown): string {
  const place = [member(error, 'in'), member(error, 'name') ?? member(error, 'pointer')].filter((word) => word !== undefined && word !== '')
  const detail = member(error, 'detail')
  return detail === undefined ? shown(error) : `${place.map(shown).join(' ')}: ${shown(detail)}`
}

/** What the first line says, or nobody needs. */
const known = new Set(['type', 'title', 'status', 'detail', 'errors'])

/** The status with the detail, then one line for each thing that is wrong, and for each further member. */
export function problemLines(status: string, problem: object): string {
  const detail = member(problem, 'detail')
  const errors = member(problem, 'errors')
  const others = Object.entries(problem).filter(([name]) => !known.has(name))
  const lines = [
    detail === undefined ? status : `${status}: ${shown(detail)}`,
    ...(Array.isArray(errors) ? errors.map(errorLine) : []),
    ...others.map(([name, value]) => `${name}: ${shown(value)}`),
  ]
  return lines.join('\n  ')
}
