/** What a definition of an endpoint may say. What it may not is refused where it is written, rather than by the first request. */
import * as complaint from '../messages/developerErrors.js'

/** Its parts. */
const definitionKeys = [
  'params',
  'query',
  'headers',
  'auth',
  'body',
  'response',
  'errors',
  'etag',
  'responseHeaders',
  'summary',
  'description',
  'examples',
]
const isDefinitionObject = (value) => typeof value === 'object' && value !== null
/** What came in place of something else. */
function describeDefinitionValue(value) {
  if (value === undefined || value === null) return 'nothing'
  if (typeof value !== 'object' && typeof value !== 'function') return `a ${typeof value}`
  if ('~standard' in value) return 'a schema'
  return 'media' in value ? 'a body' : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}
function checkCodecs(line, part, codecs = {}) {
  if (!isDefinitionObject(codecs)) throw new TypeError(complaint.expectedCodec(line, part, describeDefinitionValue(codecs)))
  for (const [name, codec] of Object.entries(codecs)) {
    if (!isDefinitionObject(codec) || typeof codec['read'] !== 'function' || typeof codec['write'] !== 'function')
      throw new TypeError(complaint.expectedCodec(line, `${part}.${name}`, describeDefinitionValue(codec)))
  }
}
function checkReply(line, part, reply) {
  if (!isDefinitionObject(reply) || typeof reply['status'] !== 'number')
    throw new TypeError(complaint.expectedReply(line, part, describeDefinitionValue(reply)))
  checkCodecs(line, `${part}.headers`, reply['headers'])
}
/** @throws TypeError, one sentence with its cure, for a part that is unknown, missing, or of another kind. */
export function checkDefinition(line, definition) {
  const unknown = Object.keys(definition).find((key) => !definitionKeys.includes(key))
  if (unknown !== undefined) throw new TypeError(complaint.unknownEndpointOption(line, unknown, definitionKeys.join(', ')))
  const { params, query, headers, auth, response, errors = [] } = { ...definition }
  checkCodecs(line, 'params', params)
  checkCodecs(line, 'query', query)
  checkCodecs(line, 'headers', headers)
  if (auth !== undefined && (!isDefinitionObject(auth) || typeof auth['credentials'] !== 'function'))
    throw new TypeError(complaint.expectedAuthScheme(line, describeDefinitionValue(auth)))
  checkReply(line, 'response', response)
  if (!Array.isArray(errors)) throw new TypeError(complaint.expectedErrorList(line, describeDefinitionValue(errors)))
  errors.forEach((error, index) => {
    checkReply(line, `errors[${index}]`, error)
    const { status } = error
    if (status === response.status) throw new TypeError(complaint.duplicateErrorStatus(line, status))
  })
}
