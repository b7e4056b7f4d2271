/** Ambient credentials: those that a browser adds to a request by itself, also to one that a page of another site makes. */
import type { AuthRequirement } from '../contract/auth/authScheme.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { HttpRequest } from '../http/httpHandler.ts'

/** Whether browsers send the credentials of a scheme by themselves: cookies, and those of `basic`, which they remember. */
function isAmbient({ scheme: { openapi } }: AuthRequirement): boolean {
  const { type, in: place, scheme } = openapi
  if (type === 'apiKey') return place === 'cookie'
  if (type === 'http') return String(scheme).toLowerCase() !== 'bearer'
  return type !== 'oauth2' && type !== 'openIdConnect'
}

/** Whether an endpoint reads cookies as parameters. */
export const hasCookieParameters = ({ cookies, parameterGroups }: AnyEndpoint): boolean =>
  Object.keys(cookies).length > 0 || parameterGroups.cookies.length > 0

/** Whether what a browser adds to a request by itself is enough for an endpoint, or read by it. */
export const readsAmbientCredentials = (endpoint: AnyEndpoint): boolean =>
  endpoint.auth?.some((requirements) => requirements.length > 0 && requirements.every(isAmbient)) === true || hasCookieParameters(endpoint)

/** Whether a request has what a browser may have added by itself. */
export function hasAmbientCredentials(request: HttpRequest): boolean {
  const authorization = request.header('authorization')
  return request.header('cookie') !== undefined || (authorization !== undefined && !/^bearer /i.test(authorization))
}
