/** The HTML pages of `main` and their assets. */
import { endpoint, html, mount, ok } from 'lapidary'

const page = html((markup: string) => markup)

/**
 * Headers of a page: it loads only files of this service, evaluates no text as code, cannot be framed and sends no referrer. Browsers
 * revalidate it on each visit.
 */
const pageHeaders = (imageSources: string, more = ''): Readonly<Record<string, string>> => ({
  'Content-Security-Policy':
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${imageSources}; connect-src 'self'; ` +
    `base-uri 'none'; form-action 'none'; frame-ancestors 'none'${more}`,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
})

export const pages = {
  start: endpoint('GET /', {
    summary: 'What this service is, as a page.',
    response: ok(page),
    responseHeaders: pageHeaders("'self'", "; require-trusted-types-for 'script'"),
  }),
  docs: endpoint('GET /docs', {
    summary: 'Every endpoint, as a page to read and to try them.',
    response: ok(page),
    // The stylesheet of Swagger UI contains its icons as data URLs.
    responseHeaders: pageHeaders("'self' data:"),
  }),
  icon: mount('/favicon.ico', { description: 'The icon, where browsers look for it.' }),
  assets: mount('/assets', { description: 'What the pages are made of: stylesheets, scripts, pictures.' }),
}
