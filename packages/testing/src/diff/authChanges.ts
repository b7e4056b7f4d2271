/** Compares the credentials of two endpoints: what becomes of a request with those of each alternative. */
import { getCredentialForm, getCredentialPlace } from 'lapidary/internal'
import { isEqualJson } from './canonical.ts'
import { breakingJudgement, type Compatibility, type Judge, type Judgement, type Sides, safeJudgement, unknownJudgement } from './change.ts'
import * as reason from './diffMessages.ts'
import type { AuthManifest, EndpointManifest } from './manifest.ts'

type Alternative = readonly AuthManifest[]
type Alternatives = readonly Alternative[]

const getForm = ({ kind }: AuthManifest): string => getCredentialForm(kind) ?? JSON.stringify(kind)

/** The credentials of a client that this scheme reads. */
const findShown = (scheme: AuthManifest, caller: Alternative): AuthManifest | undefined =>
  caller.find((one) => getForm(one) === getForm(scheme))

/** Whether two schemes read the same part of a request. */
const sharesPlace = (one: AuthManifest, other: AuthManifest): boolean => {
  const place = getCredentialPlace(one.kind)
  return place !== undefined && isEqualJson(place, getCredentialPlace(other.kind))
}

/** What a server does with a request that has the credentials of one alternative. */
function judgeAlternative(caller: Alternative, server: Alternatives, sides: Sides): Judgement {
  // A server takes the first alternative that the request has everything for.
  const taken = server.find((all) => all.length > 0 && all.every((scheme) => findShown(scheme, caller) !== undefined))
  if (taken === undefined) {
    const isAnonymous = server.some((all) => all.length === 0)
    if (!isAnonymous) return breakingJudgement(caller.length === 0 ? reason.credentialsRequired(sides) : reason.credentialsDiffer(sides))
    // Credentials of another form, or only a part of what is needed, are wrong ones.
    const isRejected = server.flat().some((scheme) => caller.some((one) => sharesPlace(one, scheme)))
    return isRejected ? breakingJudgement(reason.credentialsDiffer(sides)) : safeJudgement(reason.credentialsIgnored(sides))
  }
  const missing = taken.flatMap((scheme) => scheme.scopes.filter((scope) => findShown(scheme, caller)?.scopes.includes(scope) !== true))
  if (missing.length > 0) return breakingJudgement(reason.scopesRequired(sides, missing))
  const isSame = taken.every((scheme) => isEqualJson({ ...findShown(scheme, caller), scopes: [] }, { ...scheme, scopes: [] }))
  return isSame ? safeJudgement(reason.allAccepted(sides)) : unknownJudgement(reason.realmDiffers(sides))
}

/** Judges what becomes of wrong credentials, which one of the two takes as none. No description says whether clients send some. */
export const judgeInvalidCredentials: Judge<'reject' | 'ignore'> = (_caller, server, sides) =>
  server === 'ignore' ? safeJudgement(reason.invalidCredentialsIgnored(sides)) : unknownJudgement(reason.invalidCredentialsRejected(sides))

const fromWorst: readonly Compatibility[] = ['breaking', 'unknown', 'safe']

/** Judges what becomes of the clients of each alternative; the worst counts. */
export const judgeAuth: Judge<EndpointManifest['auth']> = (caller, server, sides) => {
  if (server === null) return safeJudgement(reason.credentialsIgnored(sides))
  const judgements = (caller ?? [[]]).map((alternative) => judgeAlternative(alternative, server, sides))
  const [worst] = fromWorst.flatMap((compatibility) => judgements.filter((one) => one.compatibility === compatibility))
  return worst ?? safeJudgement(reason.allAccepted(sides))
}
