/** The API that is checked, as it stands at one base: its endpoints, and where links lead. */
import { operations } from 'lapidary'
import { getApiIndex, getPathShape, resolveUrl } from 'lapidary/internal'

const methodOrder = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const getMethodRank = ({ endpoint: { method } }) => methodOrder.indexOf(method)
const getSubjectPath = ({ endpoint: { segments } }) => getPathShape(segments)
export function createEndpointIndex(api, base) {
  const walked = operations(api)
  const mounts = walked.flatMap(({ operation }) => (operation['~kind'] === 'mount' ? [operation] : []))
  const subjects = walked
    .flatMap(({ name, operation }) => (operation['~kind'] === 'endpoint' ? [{ name, endpoint: operation }] : []))
    .toSorted((one, other) => getMethodRank(one) - getMethodRank(other))
  const places = new Map()
  for (const subject of subjects) places.set(getSubjectPath(subject), [...(places.get(getSubjectPath(subject)) ?? []), subject])
  const siblings = (subject) => new Map((places.get(getSubjectPath(subject)) ?? []).map((one) => [one.endpoint.method, one]))
  const ways = getApiIndex(api)
  const leads = (url) => {
    const address = resolveUrl(base, url)
    const found = address && ways.find(address.path)
    const subject = subjects.find(({ endpoint }) => endpoint === found?.leaf.get('GET')?.endpoint)
    if (found === undefined || subject === undefined) return undefined
    return {
      subject,
      captures: Object.fromEntries(Object.keys(subject.endpoint.params).map((name, index) => [name, found.captures[index] ?? ''])),
    }
  }
  const isElsewhere = (target) =>
    ways.find(target) !== undefined ||
    mounts.some(({ prefix }) => target === prefix || target.startsWith(prefix === '/' ? '/' : `${prefix}/`))
  const creators = (subject) =>
    subjects.filter(
      ({ endpoint }) =>
        endpoint.method === 'POST' &&
        Object.keys(endpoint.response.headers).some((name) => name.toLowerCase() === 'location') &&
        getSubjectPath(subject).startsWith(getSubjectPath({ name: '', endpoint })),
    )
  return { endpoints: subjects, getSiblings: siblings, resolveUrl: leads, isServedElsewhere: isElsewhere, findCreators: creators }
}
