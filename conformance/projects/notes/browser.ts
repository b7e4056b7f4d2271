/** What a page may import: all but what needs Node, and Node's types are not there. */
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { tracedFetch } from 'lapidary/opentelemetry'
import { pages } from 'lapidary/pagination'
import { fetchOf } from 'lapidary/server'
import { api } from './api.js'

const call = client(api, location.origin, { fetch: tracedFetch() })

export async function titles(): Promise<string> {
  const found: string[] = []
  for await (const { title } of pages(call.notes.page)) found.push(title)
  return found.join()
}

export const here: string = link(api.notes.one, { params: { id: 1 } })
export const documents: readonly Promise<object | string>[] = [
  outline(api).then((described) => markdown(described)),
  openapi(api, { title: 'Notes', version: '1.0.0' }),
]
export { fetchOf }
