const toJsonKey = (value) => JSON.stringify(value)
const isSameJson = (one, other) => toJsonKey(one) === toJsonKey(other)
/** A header of refusals; a value that is not the same in all of them is left out. */
const mergeField = (fields) => {
  const [first, ...others] = fields
  if (first === undefined) return []
  return [others.every(({ examples }) => isSameJson(examples, first.examples)) ? first : { ...first, examples: [] }]
}
/** One refusal for each status, in place of those of the endpoints. */
function mergeBuiltInErrors(refusals) {
  const byStatus = new Map(refusals.map((refusal) => [refusal.status, refusal]))
  return [...byStatus.values()].map((refusal) => {
    const fields = refusals.filter(({ status }) => status === refusal.status).flatMap(({ headers }) => headers)
    const names = new Set(fields.map(({ name }) => name))
    return { ...refusal, headers: [...names].flatMap((name) => mergeField(fields.filter((field) => field.name === name))) }
  })
}
/** An error that is more than a line: it has headers, or a body of its own. */
const hasDetails = ({ headers, encodings }) => headers.length > 0 || encodings.length > 0
/** The long errors that more than one endpoint declares in the same words, where a status has but one of these. */
function findSharedErrors(sections) {
  const counted = new Map()
  for (const { errors } of sections) {
    for (const error of errors.filter(hasDetails)) {
      const found = counted.get(toJsonKey(error))
      if (found === undefined) counted.set(toJsonKey(error), { error, count: 1 })
      else found.count += 1
    }
  }
  const alike = [...counted.values()].filter(({ count }) => count > 1).map(({ error }) => error)
  return alike.filter(({ status }) => alike.filter((error) => error.status === status).length === 1)
}
/** Sorts out what is told once of these endpoints. A status that is told once has one meaning. */
export function findSharedResponses(sections) {
  const refusals = mergeBuiltInErrors(sections.flatMap((section) => section.builtInErrors))
  const alike = findSharedErrors(sections).filter((error) => refusals.every(({ status }) => status !== error.status))
  const isTold = (error) => alike.some((one) => isSameJson(one, error))
  return {
    shared: [...refusals, ...alike].toSorted((one, other) => one.status - other.status),
    forSection: (section) => {
      const once = [...section.builtInErrors, ...section.errors.filter(isTold)].map(({ status }) => status)
      return {
        own: section.errors.filter((error) => !isTold(error)),
        statuses: [...new Set(once)].toSorted((one, other) => one - other),
      }
    },
  }
}
