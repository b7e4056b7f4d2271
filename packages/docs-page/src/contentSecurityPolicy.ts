/** The Content-Security-Policy of the documentation page. */
import type { OpenApiDocument } from 'lapidary/openapi'

/** The URLs to which the page sends requests: servers, and those of OAuth 2.0 and OpenID Connect. */
const listUrls = ({ servers = [], components }: Pick<OpenApiDocument, 'servers' | 'components'>): readonly string[] => [
  ...servers.map(({ url }) => url),
  ...Object.values(components?.securitySchemes ?? {}).flatMap((scheme) => {
    const { flows = {}, openIdConnectUrl } = scheme as {
      readonly flows?: Readonly<Record<string, { readonly tokenUrl?: string; readonly refreshUrl?: string }>>
      readonly openIdConnectUrl?: string
    }
    const urls = [openIdConnectUrl, ...Object.values(flows).flatMap(({ tokenUrl, refreshUrl }) => [tokenUrl, refreshUrl])]
    return urls.filter((url) => url !== undefined)
  }),
]

/** What a policy has as a source. A host of a URL can have a semicolon or a comma, which end a directive or the policy. */
const originPattern = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d.-]+(?::\d+)?$/i

/**
 * The origin of an absolute URL; undefined for a relative one, which is of the page's own origin, and for a host that no policy can have, such as
 * `{region}.example`. A URL without a scheme has that of the page.
 */
function findOrigin(url: string): string | undefined {
  if (url.startsWith('//')) return findOrigin(`https:${url}`)?.slice('https://'.length)
  const origin = /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : ''
  return originPattern.test(origin) ? origin : undefined
}

/** Whether a text is an origin, such as `https://oauth2.example` or `https://*.example`. */
export const isOrigin = (text: unknown): boolean => typeof text === 'string' && originPattern.test(text)

/**
 * The policy: the page loads only files of its server, evaluates no text as code, sends no form and cannot be framed. It sends requests to its
 * own origin, and to those that the document names.
 *
 * @param origins further ones
 */
export function formatPolicy(document: Pick<OpenApiDocument, 'servers' | 'components'>, origins: readonly string[]): string {
  const connected = [...new Set([...listUrls(document).map(findOrigin), ...origins])].filter((origin) => origin !== undefined)
  return (
    // The stylesheet of Swagger UI contains its icons as data URLs.
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; ` +
    `connect-src ${["'self'", ...connected].join(' ')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  )
}
