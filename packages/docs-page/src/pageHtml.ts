/** The markup of the documentation page: it names the files that it loads, and contains neither styles nor scripts. */
import { type Html, htmlTemplate } from 'lapidary'

/** The client of OAuth 2.0 that the page is. */
export interface OAuth2Client {
  /** The identifier of the client at the OAuth 2.0 server. It is public: a page keeps no secrets. */
  readonly clientId: string
  /** The scopes that are chosen in the login window. @default none */
  readonly scopes?: readonly string[]
}

/** What the page is made of. URLs are relative to the page. */
export interface PageParts {
  readonly title: string
  /** The URL of a file of the page: `./docs/assets/page-1f0c9a2b7d3e4f56.js`. */
  readonly resolve: (path: string) => string
  readonly script: string
  readonly style: string
  readonly icon: string | undefined
  readonly home: { readonly name: string; readonly url: string } | undefined
  readonly oauth2: OAuth2Client | undefined
}

const nothing = htmlTemplate``

export function renderPage({ title, resolve, script, style, icon, home, oauth2 }: PageParts): string {
  const openapi = resolve('openapi.json')
  const image = icon === undefined ? nothing : htmlTemplate`<img src="${icon}" alt="" width="24" height="24"> `
  const header = home === undefined ? nothing : htmlTemplate`<header><a href="${home.url}">${image}${home.name}</a></header>\n`
  const client = oauth2 === undefined ? nothing : htmlTemplate` data-login-client="${JSON.stringify(oauth2)}"`
  const page: Html = htmlTemplate`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${icon ?? 'data:,'}">
<link rel="service-desc" type="application/json" href="${openapi}">
<link rel="stylesheet" href="${resolve(`assets/${style}`)}">
<script type="module" src="${resolve(`assets/${script}`)}"></script>
</head>
<body>
${header}<noscript><p>This page needs JavaScript. <a href="${openapi}">The OpenAPI document</a> has everything that it would show.</p></noscript>
<div id="docs" data-openapi="${openapi}" data-login-redirect="${resolve('oauth2-redirect.html')}"${client}></div>
</body>
</html>
`
  return page.html
}

/** The page to which an OAuth 2.0 server sends the user back. It closes itself. */
export const renderRedirectPage = (script: string): string =>
  htmlTemplate`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Login</title>
<link rel="icon" href="data:,">
<script type="module" src="./assets/${script}"></script>
</head>
<body><p>You can close this window.</p></body>
</html>
`.html
