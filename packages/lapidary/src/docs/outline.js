/** `outline(api)`: everything that documentation says of an API, as plain data. */
import { operations } from '../contract/api.js'
import { createQueryReader, isReadError } from '../contract/parameters/readers.js'
import { percentEncode } from '../http/percentEncoding.js'
import { createProblem } from '../http/problemDetails.js'
import { problemDetail } from '../messages/problemMessages.js'
import { documentedRequests } from './requests.js'
import { documentOperation } from './section.js'
/** What is wrong with a request to this endpoint that gives a value once too often; nothing where no parameter can show it. */
export function createErrorExamples(endpoint, section) {
  // Whoever is asked for credentials or for a body is refused for the lack of them first.
  const [shown] = endpoint.auth === undefined && endpoint.body === undefined ? documentedRequests(section) : []
  const field = section.query.find(({ repeats, examples }) => !repeats && examples.length > 0)
  if (shown === undefined || field === undefined) return []
  const [one = '', other = one] = field.examples
  const pairs = [...(field.required ? [] : [one]), other].map((text) => `${percentEncode(field.name)}=${percentEncode(text)}`)
  const target = `${shown.target}${shown.target.includes('?') ? '&' : '?'}${pairs.join('&')}`
  const errors = createQueryReader(endpoint.query)(target.slice(target.indexOf('?') + 1))
  if (!isReadError(errors)) return []
  const text = JSON.stringify(createProblem(400, { detail: problemDetail.badInput('query'), errors }))
  return [{ line: `${shown.method} ${target}`, status: 400, example: { language: 'json', text, base64: false } }]
}
/**
 * The outline of an API: the introductions, then one section for each endpoint and mount, in the order of declaration.
 * Example bodies are written by the endpoint's own encoders, from its `examples` or, without them, from a value made of the schema.
 *
 * @throws TypeError, one sentence with its cure, when an example does not fit its description.
 */
export async function outline(api, { title = '', intros = [] } = {}) {
  const walked = await Promise.all(operations(api).map(async (one) => ({ ...one, section: await documentOperation(one) })))
  const [refused = null] = walked.flatMap(({ operation, section }) =>
    operation['~kind'] === 'mount' ? [] : createErrorExamples(operation, section),
  )
  return {
    title,
    introductions: intros.map((intro) => ({ title: intro.title, paragraphs: [...intro.paragraphs] })),
    errorExample: refused,
    sections: walked.map(({ section }) => section),
  }
}
