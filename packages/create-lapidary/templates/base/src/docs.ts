/** The documentation, derived from the description: Markdown at /docs, and OpenAPI at /openapi.json. */
import { endpoint, json, ok, text } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { api } from './api.ts'

export const docs = {
  docs: endpoint('GET /docs', { summary: 'Returns this documentation.', response: ok(text) }),
  openapi: endpoint('GET /openapi.json', { summary: 'Returns the OpenAPI document.', response: ok(json) }),
}

const page = outline(api).then(markdown)
const document = openapi(api, { title: 'my-api', version: '0.1.0' })

export const docsHandlers = { docs: () => page, openapi: () => document }
