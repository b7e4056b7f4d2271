/** The deployment `main`, described for machines. */
import { readFileSync } from 'node:fs'
import type { OpenApiDocument, TagObject } from 'lapidary/openapi'
import type { Handlers } from 'lapidary/server'
import { main } from '../api.ts'
import * as schemas from '../schemas.ts'

/** What stands together, by the keys of `main`. */
const groups: Readonly<Record<string, string>> = {
  users: 'People who registered.',
  user: 'One of them, under another path.',
  products: 'What there is to buy.',
  headers: 'Answers with further headers.',
  secrets: 'What only those may see who know the secret token.',
  echo: 'What was sent, sent back, in each content type.',
  health: 'For whoever watches over the service.',
  pages: 'Pages for people.',
}

const single: TagObject = { name: 'single', description: 'Endpoints that stand by themselves.' }

async function described(): Promise<OpenApiDocument> {
  // Loaded when it is asked for: no start waits for it.
  const { openapi } = await import('lapidary/openapi')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  const document = await openapi(main, {
    title: 'Example service',
    version,
    description:
      'The example service of the Lapidary toolkit: this document is made from the very description that the service is made from.',
    servers: [{ url: '/' }],
    schemas,
    tags: ({ path: [key = ''] }) => [groups[key] === undefined ? single : { name: key, description: groups[key] }],
  })
  return { ...document, info: { ...document.info, license: { name: 'MIT', identifier: 'MIT' } } }
}

/** Made when it is first asked for, and remembered. */
export function openapi(): Handlers<typeof main>['openapi'] {
  let document: Promise<OpenApiDocument> | undefined
  return () => {
    document ??= described()
    return document
  }
}
