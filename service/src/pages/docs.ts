/** The documentation page. Swagger UI renders the OpenAPI document in it. */
import { type Html, htmlTemplate } from 'lapidary'
import { assetsPath } from '../api/pages.ts'
import { renderPage } from './layout.ts'

/** The URLs in the documentation page. */
export interface DocsLinks {
  readonly start: string
  readonly openapi: string
}

export function docsPage({ start, openapi }: DocsLinks): Html {
  return renderPage({
    name: 'docs',
    title: 'Documentation of the example service',
    description: 'Every endpoint of the example service, to read and to try.',
    content: htmlTemplate`<header><a href="${start}"><img src="${assetsPath}/icon.svg" alt="" width="24" height="24"> Lapidary</a></header>
<noscript><p>This page needs JavaScript. <a href="${openapi}">The OpenAPI document</a> has everything that it would show.</p></noscript>
<main id="docs" data-openapi="${openapi}"></main>
`,
  })
}
