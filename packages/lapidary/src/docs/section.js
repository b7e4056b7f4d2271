/** What documentation says of one endpoint or mount. */
import { createEncodings, splitExample } from '../contract/exampleBody.js'
import { text } from '../contract/parameters/text.js'
import { getBuiltInErrors } from '../contract/steps.js'
import { getReasonPhrase, isNullBodyStatus } from '../http/status.js'
import { getTypes } from '../json-schema/jsonSchema.js'

/** The values that a codec allows, where it names them; of a list, those of its items. */
function getAllowedValues({ jsonSchema }) {
  const { items } = jsonSchema
  return getTypes(jsonSchema).includes('array') && typeof items === 'object' ? items.enum : jsonSchema.enum
}
/** The field of a parameter; its examples are the values of `shown`, where there are some. */
export function documentParameter(name, parameter, shown = []) {
  const examples = shown.length > 0 ? shown : (getAllowedValues(parameter)?.map(String) ?? parameter.examples)
  return {
    name,
    type: parameter.name,
    required: parameter.required,
    repeats: parameter.repeats,
    // A flag is written as its name alone: there is no value to show.
    examples: examples.filter((example) => example !== ''),
    description: parameter.description ?? '',
  }
}
/** The fields of a record of parameters, in its order. */
export const documentParameters = (parameters) => Object.entries(parameters).map(([name, parameter]) => documentParameter(name, parameter))
/** The fields of headers that always have the same value. */
export const documentConstants = (headers) => Object.entries(headers).map(([name, value]) => documentParameter(name, text, [value]))
/** The answer that a reply declares, with an example where one is given; `place` opens the complaint about an example that does not fit. */
export async function documentResponse(reply, example, place) {
  const { body, headers } = splitExample(reply, example, place)
  return {
    status: reply.status,
    reason: getReasonPhrase(reply.status),
    description: reply.description ?? '',
    headers: Object.entries(reply.headers).map(([name, parameter]) =>
      documentParameter(name, parameter, headers[name] === undefined ? [] : parameter.write(headers[name])),
    ),
    problem: false,
    encodings: await createEncodings(reply.content, body, place),
  }
}
/** The answer that a declared error is. */
export const documentError = async (reply, place) => ({
  ...(await documentResponse(reply, undefined, place)),
  problem: reply.content === undefined && !isNullBodyStatus(reply.status),
})
/** The answer by which the toolkit refuses a request to this endpoint. */
export function documentBuiltInError({ status, description, headers }, endpoint) {
  const fields = documentConstants(headers(endpoint))
  return {
    status,
    reason: getReasonPhrase(status),
    description,
    // Of several headers, a refusal carries one.
    headers: fields.map((field) => ({ ...field, required: fields.length === 1 })),
    problem: true,
    encodings: [],
  }
}
const realmPattern = /\brealm="((?:[^"\\]|\\.)*)"/i
/** What is said of a scheme. */
export function documentSecurity({ name, challenge, description = '', headers, example }) {
  const [scheme = ''] = challenge.split(' ', 1)
  const [, realm = ''] = realmPattern.exec(challenge) ?? []
  return {
    name,
    scheme,
    realm: realm.replace(/\\(.)/g, '$1'),
    description,
    headers: example === undefined ? {} : { ...headers?.(example) },
  }
}
async function documentEndpoint(name, endpoint) {
  const { route, method, examples } = endpoint
  return {
    name,
    method,
    path: route.slice(method.length + 1),
    summary: endpoint.summary ?? '',
    description: endpoint.description ?? '',
    auth: endpoint.auth === undefined ? null : documentSecurity(endpoint.auth),
    captures: documentParameters(endpoint.params),
    query: documentParameters(endpoint.query),
    headers: documentParameters(endpoint.headers),
    request: await createEncodings(endpoint.body, examples.body, `${route}, request`),
    response: await documentResponse(endpoint.response, examples.response, `${route}, response`),
    errors: await Promise.all(endpoint.errors.map((error) => documentError(error, `${route}, error ${error.status}`))),
    builtInErrors: getBuiltInErrors(endpoint).map((step) => documentBuiltInError(step, endpoint)),
    responseHeaders: documentConstants(endpoint.responseHeaders),
  }
}
const documentMount = (name, { prefix, description = '' }) => ({
  name,
  method: null,
  path: prefix,
  summary: '',
  description,
  auth: null,
  captures: [],
  query: [],
  headers: [],
  request: [],
  response: null,
  errors: [],
  builtInErrors: [],
  responseHeaders: [],
})
/** The section of one leaf of an API. @throws TypeError when an example does not fit its description. */
export const documentOperation = async ({ name, operation }) =>
  operation['~kind'] === 'mount' ? documentMount(name, operation) : documentEndpoint(name, operation)
