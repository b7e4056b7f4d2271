/** `WWW-Authenticate` of 401 and 403: the challenges of an endpoint, with what was wrong with a bearer token (RFC 6750 §3). */
import { listAuthSchemes } from './alternatives.ts'
import type { AnyAuthScheme, AuthAlternatives, AuthRequirement } from './authScheme.ts'

/** Adds a parameter to a Bearer challenge. Only Bearer defines these. */
function addParameters(challenge: string, parameters: string): string {
  if (!/^bearer\b/i.test(challenge)) return challenge
  return `${challenge}${challenge.includes(' ') ? ', ' : ' '}${parameters}`
}

/** The challenges of all alternatives, as one list (RFC 9110 §11.6.1). @param rejected the scheme whose credentials were wrong */
export const formatChallenges = (alternatives: AuthAlternatives, rejected?: AnyAuthScheme): string => {
  const challenges = listAuthSchemes(alternatives).map((scheme) =>
    scheme === rejected ? addParameters(scheme.challenge, 'error="invalid_token"') : scheme.challenge,
  )
  return [...new Set(challenges)].join(', ')
}

/** All that `WWW-Authenticate` of a 401 can be: without credentials, and for wrong ones of each scheme. */
export const listChallenges = (alternatives: AuthAlternatives): readonly string[] => [
  ...new Set([undefined, ...listAuthSchemes(alternatives)].map((rejected) => formatChallenges(alternatives, rejected))),
]

/** The challenge to a user who lacks scopes. */
export const formatScopeChallenge = ({ scheme: { challenge }, scopes }: AuthRequirement): string =>
  addParameters(challenge, `error="insufficient_scope", scope="${scopes.join(' ')}"`)

/** The requirements with scopes. */
export const listScopeRequirements = (alternatives: AuthAlternatives = []): readonly AuthRequirement[] =>
  alternatives.flat().filter(({ scopes }) => scopes.length > 0)
