/** The security schemes of a document as auth schemes, and the requirements of operations as their alternatives. */
import { type AnyAuth, type AnyAuthScheme, apiKey, authScheme, basic, bearer, webhookSignature } from 'lapidary'
import { createCombinedAuth, getCredentialForm, getCredentialPlace, isJsonObject, webhookHeaders } from 'lapidary/internal'
import type { DocumentReader, JsonObject, Part } from './document.ts'

/** A scheme that an alternative needs, by its name in the document, with the scopes. */
export interface RequirementPlan {
  readonly name: string
  readonly scopes: readonly string[]
}

/** The alternatives of the credentials of an operation; an empty one last: they are optional. Undefined: it needs none. */
export type AuthPlan = readonly (readonly RequirementPlan[])[] | undefined

/** A scope of OAuth 2.0 (RFC 6749 §3.3). */
const scopePattern = /^[!#-[\]-~]+$/

/** What a Security Scheme Object says, without its description, which programs do not need. */
const toKind = ({ description: _, ...kind }: JsonObject): JsonObject => kind

/** A scheme of another name than `Basic` and `Bearer`: its credentials are the text after the name. */
function createOtherScheme(name: string, word: string, openapi: JsonObject): AnyAuthScheme {
  const pattern = new RegExp(`^${word} +(.+)$`, 'i')
  return authScheme<unknown, string>({
    name,
    challenge: word,
    credentials: (header) => pattern.exec(header('authorization') ?? '')?.[1],
    headers: (credentials) => ({ Authorization: `${word} ${credentials}` }),
    openapi,
  })
}

/** Reads the auth schemes of one document. */
export class AuthReader {
  private readonly reader: DocumentReader
  /** By their names; undefined for one that no request can be checked for. */
  private readonly schemes = new Map<string, AnyAuthScheme | undefined>()

  constructor(reader: DocumentReader) {
    this.reader = reader
    const components = reader.object({ value: reader.root, pointer: '' }, 'components')
    const declared = components && reader.object(components, 'securitySchemes')
    for (const [name, part] of reader.entries(declared)) this.schemes.set(name, this.createScheme(name, part))
  }

  private leaveOut(pointer: string, reason: string): undefined {
    this.reader.limits.add('security', pointer, `${reason} The scheme is left out.`)
  }

  private createScheme(name: string, { value, pointer }: Part): AnyAuthScheme | undefined {
    if (!isJsonObject(value)) return this.leaveOut(pointer, 'A security scheme is an object.')
    const { type, scheme, in: place, name: key } = value
    try {
      if (type === 'apiKey') return this.rename(apiKey({ in: place as 'header', name: String(key) }), name, value)
      if (type === 'oauth2' || type === 'openIdConnect') return this.rename(bearer(name), name, value)
      if (type !== 'http' || typeof scheme !== 'string')
        return this.leaveOut(pointer, `A request has no credentials of the type ${JSON.stringify(type)}.`)
      if (/^bearer$/i.test(scheme)) return this.rename(bearer(name), name, value)
      if (/^basic$/i.test(scheme)) return this.rename(basic(name), name, value)
      if (!/^[\w-]+$/.test(scheme)) return this.leaveOut(pointer, `${JSON.stringify(scheme)} is no name of a scheme.`)
      this.reader.limits.add(
        'auth-form',
        pointer,
        `The credentials of "${scheme}" are the text after its name in Authorization: a client writes it itself.`,
      )
      return createOtherScheme(name, scheme, toKind(value))
    } catch (error) {
      return this.leaveOut(pointer, (error as Error).message)
    }
  }

  /** The scheme under its name in the document, and as the document describes it. */
  private rename(scheme: AnyAuthScheme, name: string, value: JsonObject): AnyAuthScheme {
    if (name === webhookSignature.name && value['name'] === webhookHeaders.signature) return webhookSignature
    return authScheme({ ...scheme, name, openapi: toKind(value) })
  }

  /** The alternatives of an operation: its own, else those of the document. */
  plan(operation: Part<JsonObject>): AuthPlan {
    const owner = operation.value['security'] === undefined ? { value: this.reader.root, pointer: '' } : operation
    const security = owner.value['security']
    if (security === undefined) return undefined
    if (!Array.isArray(security)) return this.reader.leaveOut({ value: security, pointer: `${owner.pointer}/security` }, 'an array')
    const place = `${owner.pointer}/security`
    const alternatives = security.map((requirement: unknown, index) => this.planAlternative(requirement, `${place}/${index}`))
    const known = alternatives.filter((one) => one !== undefined)
    const needed = known.filter((one) => one.length > 0)
    const distinct = this.removeHidden(needed, place)
    const isOptional = known.length > needed.length || (distinct.length === 0 && alternatives.length > 0)
    if (distinct.length === 0) return undefined
    return isOptional ? [...distinct, []] : distinct
  }

  private planAlternative(requirement: unknown, pointer: string): readonly RequirementPlan[] | undefined {
    if (!isJsonObject(requirement)) return this.leaveOut(pointer, 'A security requirement is an object.')
    const places = new Set<string>()
    const plans: RequirementPlan[] = []
    for (const [name, given] of Object.entries(requirement)) {
      const scheme = this.schemes.get(name)
      if (scheme === undefined) {
        if (!this.schemes.has(name)) this.reader.limits.add('reference', pointer, `There is no security scheme "${name}".`)
        return undefined
      }
      const place = JSON.stringify(getCredentialPlace(scheme.openapi))
      if (places.has(place)) {
        this.reader.limits.add('security', pointer, `Two schemes have their credentials in the same place. "${name}" is left out.`)
        continue
      }
      places.add(place)
      const scopes = Array.isArray(given) ? given.map(String) : []
      const wrong = scopes.filter((scope) => !scopePattern.test(scope))
      if (wrong.length > 0)
        this.reader.limits.add('security', pointer, `${JSON.stringify(wrong[0])} is no scope (RFC 6749 §3.3). It is left out.`)
      plans.push({ name, scopes: scopes.filter((scope) => scopePattern.test(scope)) })
    }
    return plans
  }

  /** Without an alternative that is never reached, because one before it reads the same credentials. */
  private removeHidden(alternatives: readonly (readonly RequirementPlan[])[], pointer: string): readonly (readonly RequirementPlan[])[] {
    const forms = alternatives.map(
      (one) => new Set(one.map(({ name }) => getCredentialForm(this.schemes.get(name)?.openapi ?? {}) ?? name)),
    )
    return alternatives.filter((one, index) => {
      const hiding = forms.findIndex((other) => [...other].every((form) => forms[index]?.has(form)))
      if (hiding === index) return true
      const names = one.map(({ name }) => name).join(' and ')
      this.reader.limits.add('security', pointer, `An alternative before ${names} reads the same credentials. ${names} is left out.`)
      return false
    })
  }

  /** The credentials of a plan, for an endpoint. */
  create(plan: AuthPlan, invalid: 'reject' | 'ignore'): AnyAuth | undefined {
    if (plan === undefined) return undefined
    return createCombinedAuth(
      plan.map((requirements) => requirements.map(({ name, scopes }) => ({ scheme: this.schemes.get(name) as AnyAuthScheme, scopes }))),
      invalid,
    )
  }

  /** Whether a parameter is where the credentials of a plan stand: no endpoint declares it again. */
  isCredential(plan: AuthPlan, place: string, name: string): boolean {
    return (plan ?? []).flat().some((requirement) => {
      const found = getCredentialPlace(this.schemes.get(requirement.name)?.openapi ?? {})
      return found?.in === place && found.name === (place === 'header' ? name.toLowerCase() : name)
    })
  }
}
