/** Rules about requests without credentials, and with wrong ones. */
import type { AnyAuthScheme, AuthAlternatives } from 'lapidary'
import {
  type AuthRequirement,
  formatCookiePair,
  getCredentialForm,
  getCredentialPlace,
  isAuthOptional,
  listAuthSchemes,
  listCredentialAlternatives,
  listScopeRequirements,
} from 'lapidary/internal'
import type { Call } from '../../generate/calls.ts'
import { wrongCredentials } from '../../wrongCredentials.ts'
import { parseChallenges } from '../challenges.ts'
import { type WireRequest, withHeaderLines } from '../exchange.ts'
import { isSafeEndpoint, type Probe, type ProbeContext, type RequestKind } from '../rule.ts'
import { listAuthHeaderNames } from '../secrets.ts'
import { expectError, unknownMediaType, withInvalidQuery } from './invalidRequests.ts'

/** Removes the headers that identify the caller, which may be among the further headers of a check. */
function withoutCredentials(request: WireRequest, schemes: readonly AnyAuthScheme[]): WireRequest {
  const names = new Set(['authorization', 'cookie', ...schemes.flatMap(listAuthHeaderNames)])
  return { ...request, headers: request.headers.filter(([name]) => !names.has(name.toLowerCase())), secret: undefined }
}

const nameSchemes = (schemes: readonly AnyAuthScheme[]): string => schemes.map(({ name }) => name).join(' and ')

/** Sends a request with the credentials of an alternative, and expects that they are accepted. */
async function expectAccepted({ send, fail }: ProbeContext, request: WireRequest, kind: RequestKind, what: string): Promise<void> {
  const { status } = await send(request, kind)
  if (status === 401) fail(`${what}: expected the request to be served, got 401`)
}

/** Sends a request with wrong credentials that count as none, and expects what a request without them gets. */
async function expectIgnored({ send, report }: ProbeContext, request: WireRequest, anonymous: WireRequest, what: string): Promise<void> {
  const expected = await send(anonymous, 'other')
  const { status } = await send(request, 'other', undefined, what)
  if (status !== expected.status) report(`expected ${expected.status}, as without credentials, got ${status}`, what)
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
    const { auth = [], invalidCredentials } = context.subject.endpoint
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
      // What a server looks at first is a convention.
      for (const [attempt, fault] of context.lenient ? attempts.slice(0, 1) : attempts)
        if (!(await expectError(context, attempt, [401], fault, call))) break
    }
    if (schemes.some(({ openapi }) => getCredentialPlace(openapi)?.name === 'authorization')) {
      const other = withHeaderLines(anonymous, 'Authorization', 'X-No-Such-Scheme x')
      if (invalidCredentials === 'ignore') await expectIgnored(context, other, anonymous, 'Authorization has another scheme')
      else await expectError(context, other, [401], 'Authorization has another scheme', call)
    }
    await probeAlternatives(context, call, auth)
  },
}

/** A request with a wrong key or token in the place of a scheme; undefined if the credentials of the scheme are no text. */
function withWrongText(request: WireRequest, { openapi, example }: AnyAuthScheme): WireRequest | undefined {
  const place = getCredentialPlace(openapi)
  if (place === undefined || typeof example !== 'string') return undefined
  const { name } = place
  if (place.in === 'query') return withInvalidQuery(request, `${encodeURIComponent(name)}=${wrongCredentials}`)
  if (place.in === 'cookie') return withHeaderLines(request, 'Cookie', formatCookiePair(name, wrongCredentials))
  if (name !== 'authorization') return withHeaderLines(request, name, wrongCredentials)
  return getCredentialForm(openapi) === 'bearer' ? withHeaderLines(request, 'Authorization', `Bearer ${wrongCredentials}`) : undefined
}

export const wrongCredentialsRule: Probe = {
  name: 'wrong-credentials',
  description:
    'A wrong key or token gets 401, even if the other credentials that are needed are right; where it counts as none, it changes nothing.',
  appliesTo: ({ subject, write }) => subject.endpoint.auth !== undefined && (write || isSafeEndpoint(subject)),
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    const { auth = [], invalidCredentials } = context.subject.endpoint
    if (call === undefined) return
    const anonymous = withoutCredentials(await context.buildRequest(call, undefined, []), listAuthSchemes(auth))
    for (const requirements of listCredentialAlternatives(auth)) {
      for (const { scheme } of requirements) {
        const others = requirements.map((one) => one.scheme).filter((other) => other !== scheme)
        const hasOthers = others.length > 0 && others.every(context.hasCredentials)
        const request = withWrongText(hasOthers ? await context.buildRequest(call, undefined, others) : anonymous, scheme)
        if (request === undefined) continue
        const what = `the credentials of ${scheme.name} are wrong`
        if (invalidCredentials === 'ignore') await expectIgnored(context, request, anonymous, what)
        else await expectError(context, request, [401], what, call)
      }
    }
  },
}

/** Each alternative whose credentials were given is accepted, and none of them without one of its parts. */
async function probeAlternatives(context: ProbeContext, call: Call, auth: AuthAlternatives): Promise<void> {
  const { invalidCredentials } = context.subject.endpoint
  const given = listCredentialAlternatives(auth).map((requirements) => requirements.map(({ scheme }) => scheme))
  for (const all of given.filter((schemes) => schemes.every(context.hasCredentials))) {
    const request = await context.buildRequest(call, undefined, all)
    if (given.length > 1) await expectAccepted(context, request, 'valid', `the credentials are those of ${nameSchemes(all)}`)
    for (const missing of all) {
      const rest = all.filter((scheme) => scheme !== missing)
      if (rest.length === 0 || isComplete(auth, rest)) continue
      const partial = await context.buildRequest(call, undefined, rest)
      const what = `the credentials are those of ${nameSchemes(rest)}, without ${missing.name}`
      if (invalidCredentials === 'ignore') await expectIgnored(context, partial, withoutCredentials(partial, all), what)
      else await expectError(context, partial, [401], what, call)
    }
  }
}

/** Checks the challenge of a 403: RFC 6750 §3.1 defines it for bearer tokens. */
function checkScopeChallenge(
  { fail }: ProbeContext,
  challenge: string | undefined,
  { scheme, scopes }: AuthRequirement,
  what: string,
): void {
  const [declared] = parseChallenges(scheme.challenge)
  const found = parseChallenges(challenge ?? '').find((one) => one.scheme === declared?.scheme)
  if (found === undefined) fail(`${what}: expected WWW-Authenticate to name ${scheme.challenge}, got ${challenge ?? 'none'}`)
  if (found?.scheme !== 'bearer') return
  const named = found.parameters.get('scope')?.split(' ').sort().join(' ')
  const expected = scopes.toSorted().join(' ')
  if (found.parameters.get('error') !== 'insufficient_scope' || named !== expected)
    fail(`${what}: expected WWW-Authenticate to have error="insufficient_scope", scope="${scopes.join(' ')}", got ${challenge}`)
}

export const scopesRule: Probe = {
  name: 'scopes',
  description:
    'Valid credentials that lack a scope get 403, before any other error, and WWW-Authenticate names the scopes (RFC 6750 §3.1).',
  appliesTo: ({ subject, write }) => listScopeRequirements(subject.endpoint.auth).length > 0 && (write || isSafeEndpoint(subject)),
  probe: async (context) => {
    const [call] = context.sampleCalls(1)
    if (call === undefined) return
    for (const requirements of listCredentialAlternatives(context.subject.endpoint.auth ?? [])) {
      const schemes = requirements.map(({ scheme }) => scheme)
      for (const requirement of requirements) {
        const { scheme, scopes: needed } = requirement
        if (!schemes.every((other) => other === scheme || context.hasCredentials(other))) continue
        for (const { credentials, scopes } of context.listScopedCredentials(scheme)) {
          const request = await context.buildRequest(call, undefined, schemes, { [scheme.name]: credentials })
          const what = `the credentials of ${scheme.name} have ${scopes.length === 0 ? 'no scope' : `the scopes ${scopes.join(', ')}`}`
          if (needed.every((scope) => scopes.includes(scope))) {
            const { status } = await context.send(request, 'valid')
            if (status === 401 || status === 403) context.fail(`${what}: expected the request to be served, got ${status}`)
            continue
          }
          const { status, header } = await context.send(request, 'invalid', undefined, undefined, call)
          if (status !== 403) context.fail(`${what}: expected 403, got ${status}`)
          checkScopeChallenge(context, header('www-authenticate'), requirement, what)
          await expectError(context, withInvalidQuery(request, '%zz'), [403], `${what}, and the query is not valid`, call)
        }
      }
    }
  },
}
