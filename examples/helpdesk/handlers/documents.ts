import { htmlTemplate } from 'lapidary'
import { outline } from 'lapidary/docs'
import { link } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import type { Handlers } from 'lapidary/server'
import { api } from '../api.ts'
import { NewTicket, Reply, Ticket } from '../schemas.ts'

const title = 'Helpdesk'
const options = { title, version: '1.0.0', schemas: { NewTicket, Ticket, Reply } }
const versions = ['3.0', '3.1', '3.2'] as const

export async function createDocumentHandlers(): Promise<Handlers<typeof api.documents>> {
  const documents = {
    '3.0': await openapi(api, { ...options, openapi: '3.0' }),
    '3.1': await openapi(api, options),
    '3.2': await openapi(api, { ...options, openapi: '3.2' }),
  }
  const { sections, webhooks = [] } = await outline(api, { title })
  const page = htmlTemplate`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<h1>${title}</h1>
<p>OpenAPI: ${versions.map((version) => htmlTemplate`<a href="${link(api.documents.openapi, { query: { version } })}">${version}</a> `)}</p>
<ul>${sections.map(({ method, path, summary }) => htmlTemplate`<li><code>${method ?? ''} ${path}</code> ${summary}</li>\n`)}</ul>
<h2>Webhooks</h2>
<ul>${webhooks.map(({ name, summary }) => htmlTemplate`<li><code>${name}</code> ${summary}</li>`)}</ul>
</html>
`
  return { openapi: ({ query }) => documents[query.version], page: () => page }
}
