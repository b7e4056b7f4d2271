/** The pages for people, and what they are made of. */
import { endpoint, html, mount, ok } from 'lapidary'
import { docsPage } from '../pages/docs.ts'
import { assets } from '../pages/page.ts'
import { startPage } from '../pages/start.ts'

/**
 * What a page tells its browser. Everything that it loads is ours and in files of its own, nothing is evaluated, nobody frames it, nobody whom
 * it links to is told of it, and it is asked for anew each time. `policy` is what it needs beyond that.
 */
const headers = (policy: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
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
    response: ok(html(startPage)),
    responseHeaders: headers({ 'require-trusted-types-for': "'script'" }),
  }),
  docs: endpoint('GET /docs', {
    summary: 'Every endpoint, as a page to read and to try them.',
    response: ok(html(docsPage)),
    // Swagger UI draws its arrows and marks with images that stand in its stylesheet.
    responseHeaders: headers({ 'img-src': "'self' data:" }),
  }),
  icon: mount('/favicon.ico', { description: 'The icon, where browsers look for it.' }),
  assets: mount(assets, { description: 'What the pages are made of: stylesheets, scripts, pictures.' }),
}
