/** The OpenAPI document of the deployment `main`. */
import { readFileSync } from 'node:fs'
import type { OpenApiDocument } from 'lapidary/openapi'
import * as schemas from '../api/schemas.ts'
import { main } from '../api.ts'

/** Descriptions of the tags: the groups of `main`, and all other endpoints. */
const tagDescriptions: Readonly<Record<string, string>> = {
  single: 'Single endpoints.',
  users: 'The collection of users.',
  user: 'One user, under another path.',
  products: 'The collection of products.',
  headers: 'Responses with additional headers.',
  secrets: 'Data behind the secret token.',
  echo: 'Endpoints that return what they receive, in each content type.',
  health: 'For load balancers and monitoring.',
  pages: 'HTML pages and their assets.',
}

async function createDocument(): Promise<OpenApiDocument> {
  // Imported on the first request, so that the start of the service does not wait for it.
  const { openapi } = await import('lapidary/openapi')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  const document = await openapi(main, {
    title: 'Example service',
    version,
    description: 'The example service of the Lapidary toolkit. This document and the service are made from the same description.',
    servers: [{ url: '/' }],
    schemas,
    tags: ({ path: [key = ''] }) => {
      const name = key in tagDescriptions ? key : 'single'
      return [{ name, description: tagDescriptions[name] }]
    },
  })
  return { ...document, info: { ...document.info, license: { name: 'MIT', identifier: 'MIT' } } }
}

/** Creates the document on the first request and keeps it. After a failure, the next request tries again. */
export function openapiHandler(create: () => Promise<OpenApiDocument> = createDocument): () => Promise<OpenApiDocument> {
  let document: Promise<OpenApiDocument> | undefined
  return () => {
    if (document !== undefined) return document
    document = create()
    document.catch(() => {
      document = undefined
    })
    return document
  }
}
