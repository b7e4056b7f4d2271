/** The steps that a request goes through before its handler sees it, in their order: which endpoints have them, and how they refuse. */
import * as documentation from '../messages/documentationTexts.js'
import { getEssences } from './media/content.js'

const getNoHeaders = () => ({})
const isAlwaysRun = () => true
const hasRequestBody = ({ body }) => body !== undefined
/** The steps of every request. The server compiles an endpoint by them, and documentation tells of them. */
export const requestSteps = Object.freeze({
  credentials: {
    appliesTo: ({ auth }) => auth !== undefined,
    status: 401,
    description: documentation.unauthorizedText(),
    headers: ({ auth }) => ({ 'WWW-Authenticate': auth?.challenge ?? '' }),
  },
  negotiation: {
    appliesTo: ({ response }) => response.content !== undefined,
    status: 406,
    description: documentation.notAcceptableText(),
    headers: () => ({ Vary: 'Accept' }),
  },
  contentType: {
    appliesTo: hasRequestBody,
    status: 415,
    description: documentation.unsupportedMediaTypeText(),
    headers: ({ body }) => ({ Accept: body === undefined ? '' : getEssences(body).join(', '), 'Accept-Encoding': 'identity' }),
  },
  // The path and the query of every request must be percent-encoded UTF-8, declared or not.
  reading: { appliesTo: isAlwaysRun, status: 400, description: documentation.badRequestText(), headers: getNoHeaders },
  size: { appliesTo: hasRequestBody, status: 413, description: documentation.contentTooLargeText(), headers: getNoHeaders },
  handler: { appliesTo: isAlwaysRun, status: 500, description: documentation.internalErrorText(), headers: getNoHeaders },
})
/** Everything that the toolkit itself may answer in place of the handler, by status. All of it is problem details. */
export const getBuiltInErrors = (endpoint) =>
  Object.values(requestSteps)
    .filter((step) => step.appliesTo(endpoint))
    .toSorted((one, other) => one.status - other.status)
