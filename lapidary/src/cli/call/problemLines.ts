/** Problem details (RFC 9457) as lines for people. */

/** A member of what may be anything. */
const getMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Texts and numbers as they are; anything else as JSON. */
const formatValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** `query limit: expected an integer such as 42`. */
function formatProblemError(error: unknown): string {
  const place = [getMember(error, 'in'), getMember(error, 'name') ?? getMember(error, 'pointer')].filter(
    (word) => word !== undefined && word !== '',
  )
  const detail = getMember(error, 'detail')
  return detail === undefined ? formatValue(error) : `${place.map(formatValue).join(' ')}: ${formatValue(detail)}`
}

/** What the first line says, or nobody needs. */
const shownMembers = new Set(['type', 'title', 'status', 'detail', 'errors'])

/** The status with the detail, then one line for each thing that is wrong, and for each further member. */
export function formatProblem(status: string, problem: object): string {
  const detail = getMember(problem, 'detail')
  const errors = getMember(problem, 'errors')
  const others = Object.entries(problem).filter(([name]) => !shownMembers.has(name))
  const lines = [
    detail === undefined ? status : `${status}: ${formatValue(detail)}`,
    ...(Array.isArray(errors) ? errors.map(formatProblemError) : []),
    ...others.map(([name, value]) => `${name}: ${formatValue(value)}`),
  ]
  return lines.join('\n  ')
}
