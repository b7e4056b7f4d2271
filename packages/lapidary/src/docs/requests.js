/** `documentedRequests(section)`: what to send to an endpoint in order to see what its documentation shows, made of nothing but that documentation. */
import { percentEncode } from '../http/percentEncoding.js'
import { fillPath, parsePath } from '../http/route.js'

const chooseRequired = ({ required, examples }) => (required ? examples.slice(0, 1) : [])
/** What may be under a name: all values at once where it may be repeated, else one after the other; a flag has no value, and is there by its name alone. */
function listValueChoices({ examples, repeats }) {
  if (examples.length === 0) return [['']]
  return repeats ? [examples] : examples.map((example) => [example])
}
/** The bodies in each of their types; one that is none where the endpoint takes none. */
const listExampleBodies = ({ request }) =>
  request.length === 0
    ? [{ headers: {}, example: null }]
    : request.flatMap(({ types, example }) =>
        example === null ? [] : types.map((type) => ({ headers: { 'Content-Type': type }, example })),
      )
function buildExampleTarget({ path, captures, query }, chosen) {
  const textOf = (name) => captures.filter((field) => field.name === name).flatMap(chosen)[0] ?? ''
  const pairs = query.flatMap((field) =>
    chosen(field).map((text) => (text === '' ? percentEncode(field.name) : `${percentEncode(field.name)}=${percentEncode(text)}`)),
  )
  return `${fillPath(parsePath(path) ?? [], textOf)}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}
const buildExampleHeaders = ({ headers }, chosen) =>
  Object.fromEntries(
    headers.flatMap((field) => {
      const texts = chosen(field)
      return texts.length === 0 ? [] : [[field.name, texts.join(',')]]
    }),
  )
/**
 * The requests that the section of an endpoint shows: with everything that is required and nothing else, once in each type of its body; then with each
 * further value that is shown of a capture, a query parameter or a header. None for a mount, and none where the body has no example.
 */
export function documentedRequests(section) {
  const { method, auth, captures, query, headers } = section
  const bodies = listExampleBodies(section)
  const [first] = bodies
  if (method === null || first === undefined) return []
  const request = (chosen, body) => ({
    method,
    target: buildExampleTarget(section, chosen),
    headers: { ...auth?.headers, ...buildExampleHeaders(section, chosen), ...body.headers },
    body: body.example,
  })
  const others = [...captures, ...query, ...headers].flatMap((field) =>
    listValueChoices(field)
      .slice(chooseRequired(field).length)
      .map((texts) => (one) => (one === field ? texts : chooseRequired(one))),
  )
  return [...bodies.map((body) => request(chooseRequired, body)), ...others.map((chosen) => request(chosen, first))]
}
