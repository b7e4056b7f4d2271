/** What a web page may import: every subpath that needs no Node.js. This project has no types of Node.js. */
import { infiniteQueryOptions, listItems } from '@lapidary/tanstack-query'
import { QueryClient } from '@tanstack/query-core'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { json, client as lightClient, plain } from 'lapidary/light'
import { link } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { tracedFetch } from 'lapidary/opentelemetry'
import { paginate } from 'lapidary/pagination'
import { toFetch } from 'lapidary/server'
import { api } from './api.js'

const call = client(api, location.origin, { fetch: tracedFetch() })

export async function titles(): Promise<string> {
  const found: string[] = []
  for await (const { title } of paginate(call.notes.page)) found.push(title)
  return found.join()
}

const light = lightClient<Pick<typeof api, 'found'>>(
  { found: { route: 'GET /found', query: { word: plain }, responses: [[200, json]] } },
  '',
)
export const find = async (word: string): Promise<string[]> => (await light.found({ query: { word } })).map(({ title }) => title)

export const firstPages = async (): Promise<string[]> =>
  listItems(
    await new QueryClient().fetchInfiniteQuery({ ...infiniteQueryOptions(call.notes.page, { query: {}, headers: {} }), pages: 2 }),
  ).map(({ title }) => title)

export const here: string = link(api.notes.one, { params: { id: 1 } })
export const documents: readonly Promise<object | string>[] = [
  outline(api).then((described) => markdown(described)),
  openapi(api, { title: 'Notes', version: '1.0.0' }),
]
export { toFetch }
