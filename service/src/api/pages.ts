/** The HTML pages of `main` and their assets. */
import { endpoint, html, mount, ok } from 'lapidary'

const page = html((markup: string) => markup)

/**
 * Headers of a page: it loads only files of this service, evaluates no text as code, cannot be framed and sends no referrer. Browsers
 * revalidate it on each visit. `policy` adds or replaces directives of the Content-Security-Policy.
 */
const pageHeaders = (policy: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self'",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    ...policy,
  })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; '),
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
})

export const pages = {
  start: endpoint('GET /', {
    summary: 'What this service is, as a page.',
    response: ok(page),
    responseHeaders: pageHeaders({ 'require-trusted-types-for': "'script'" }),
  }),
  docs: endpoint('GET /docs', {
    summary: 'Every endpoint, as a page to read and to try them.',
    response: ok(page),
    // The stylesheet of Swagger UI contains its icons as data URLs.
    responseHeaders: pageHeaders({ 'img-src': "'self' data:" }),
  }),
  icon: mount('/favicon.ico', { description: 'The icon, where browsers look for it.' }),
  assets: mount('/assets', { description: 'What the pages are made of: stylesheets, scripts, pictures.' }),
}
