/** The HTML pages of `main` and their assets. */
import { endpoint, html, mount, ok } from 'lapidary'

const page = html((markup: string) => markup)

/**
 * Headers of the start page: it loads only files of this service, evaluates no text as code, cannot be framed and sends no referrer. Browsers
 * revalidate it on each visit.
 */
const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

export const pages = {
  start: endpoint('GET /', {
    summary: 'What this service is, as a page.',
    response: ok(page),
    responseHeaders: pageHeaders,
  }),
  docs: mount('/docs', { description: 'Every endpoint, as a page to read and to try them, and as Markdown.' }),
  icon: mount('/favicon.ico', { description: 'The icon, where browsers look for it.' }),
  assets: mount('/assets', { description: 'What the start page is made of: stylesheets, scripts, pictures.' }),
}
