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

/** The origin of an absolute URL; undefined for a relative one, which is of the page's own origin. */
const findOrigin = (url: string): string | undefined => (/^https?:/i.test(url) && URL.canParse(url) ? new URL(url).origin : undefined)

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
