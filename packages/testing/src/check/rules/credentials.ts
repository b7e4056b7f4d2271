/** Rules about requests without credentials, and with wrong ones. */
import type { AnyAuthScheme, AuthAlternatives } from 'lapidary'
import { getCredentialPlace, isAuthOptional, listAuthSchemes, listCredentialAlternatives } from 'lapidary/internal'
import { type WireRequest, withHeaderLines } from '../exchange.ts'
import { isSafeEndpoint, type Probe, type ProbeContext, type RequestKind } from '../rule.ts'
import { listAuthHeaderNames } from '../secrets.ts'
import { expectError, unknownMediaType, withInvalidQuery } from './invalidRequests.ts'

/** Removes the headers that identify the caller, which may be among the further headers of a check. */
function withoutCredentials(request: WireRequest, schemes: readonly AnyAuthScheme[]): WireRequest {
  const names = new Set(['authorization', 'cookie', ...schemes.flatMap(listAuthHeaderNames)])
  return { ...request, headers: request.headers.filter(([name]) => !names.has(name.toLowerCase())) }
}

const nameSchemes = (schemes: readonly AnyAuthScheme[]): string => schemes.map(({ name }) => name).join(' and ')

/** Sends a request with the credentials of an alternative, and expects that they are accepted. */
async function expectAccepted({ send, fail }: ProbeContext, request: WireRequest, kind: RequestKind, what: string): Promise<void> {
  const { status } = await send(request, kind)
  if (status === 401) fail(`${what}: expected the request to be served, got 401`)
}

/** Whether one of the alternatives needs no more than these schemes. */
const isComplete = (auth: AuthAlternatives, schemes: readonly AnyAuthScheme[]): boolean =>
  listCredentialAlternatives(auth).some((requirements) => requirements.every(({ scheme }) => schemes.includes(scheme)))

export const credentialsRule: Probe = {
  name: 'credentials',
  description: 'Without valid credentials a protected endpoint gets 401, before any other error. Each alternative is accepted.',
  appliesTo: ({ subject, write }) => subject.endpoint.auth !== undefined && (write || isSafeEndpoint(subject)),
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    const { auth = [] } = context.subject.endpoint
    if (call === undefined) return
    const schemes = listAuthSchemes(auth)
    const anonymous = withoutCredentials(await context.buildRequest(call, undefined, []), schemes)
    if (isAuthOptional(auth)) await expectAccepted(context, anonymous, 'other', 'there are no credentials, and they are optional')
    else {
      const attempts: readonly (readonly [WireRequest, string])[] = [
        [anonymous, 'there are no credentials'],
        [withHeaderLines(anonymous, 'Accept', unknownMediaType), 'there are no credentials, and Accept names an unknown type'],
        [withHeaderLines(anonymous, 'Content-Type', unknownMediaType), 'there are no credentials, and the body has an unknown type'],
        [withInvalidQuery(anonymous, '%zz'), 'there are no credentials, and the query is not valid'],
      ]
      for (const [attempt, fault] of attempts) await expectError(context, attempt, [401], fault)
    }
    if (schemes.some(({ openapi }) => getCredentialPlace(openapi)?.name === 'authorization'))
      await expectError(
        context,
        withHeaderLines(anonymous, 'Authorization', 'X-No-Such-Scheme x'),
        [401],
        'Authorization has another scheme',
      )
    await probeAlternatives(context, call, auth)
  },
}

/** Each alternative whose credentials were given is accepted, and none of them without one of its parts. */
async function probeAlternatives(
  context: ProbeContext,
  call: Parameters<ProbeContext['buildRequest']>[0],
  auth: AuthAlternatives,
): Promise<void> {
  const given = listCredentialAlternatives(auth).map((requirements) => requirements.map(({ scheme }) => scheme))
  for (const all of given.filter((schemes) => schemes.every(context.hasCredentials))) {
    const request = await context.buildRequest(call, undefined, all)
    if (given.length > 1) await expectAccepted(context, request, 'valid', `the credentials are those of ${nameSchemes(all)}`)
    for (const missing of all) {
      const rest = all.filter((scheme) => scheme !== missing)
      if (rest.length === 0 || isComplete(auth, rest)) continue
      const partial = await context.buildRequest(call, undefined, rest)
      await expectError(context, partial, [401], `the credentials are those of ${nameSchemes(rest)}, without ${missing.name}`)
    }
  }
}
