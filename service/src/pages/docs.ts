/** The documentation page, which Swagger UI fills in from the OpenAPI document. */
import { type Html, htmlTemplate } from 'lapidary'
import { assets, page } from './page.ts'

/** The addresses that the page leads to. */
export interface Sources {
  readonly start: string
  readonly openapi: string
}

export function docsPage({ start, openapi }: Sources): Html {
  return page({
    name: 'docs',
    title: 'Documentation of the example service',
    description: 'Every endpoint of the example service, to read and to try.',
    content: htmlTemplate`<header><a href="${start}"><img src="${assets}/icon.svg" alt="" width="24" height="24"> Lapidary</a></header>
<noscript><p>This page needs JavaScript. <a href="${openapi}">The OpenAPI document</a> has everything that it would show.</p></noscript>
<main id="docs" data-openapi="${openapi}"></main>
`,
  })
}
