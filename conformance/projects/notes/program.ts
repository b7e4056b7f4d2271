/** Every subpath of the packages at work: described, served, called, linked, paged and documented. */
import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lapidaryRoutes } from '@lapidary/cli/vite'
import { documentationPage } from '@lapidary/docs-page'
import { listen as listenWithLlhttp } from '@lapidary/llhttp'
import { fromOpenApi, readOpenApi } from '@lapidary/openapi'
import { mutationOptions, pathKey, queryOptions } from '@lapidary/tanstack-query'
import { checkServer, diff, manifest, mock } from '@lapidary/testing'
import { QueryClient } from '@tanstack/query-core'
import { isHttpError, json, mount, receiveWebhook, webhook } from 'lapidary'
import { listen as listenOnBun } from 'lapidary/bun'
import { client, credentials, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { toLambdaHandler } from 'lapidary/lambda'
import { client as lightClient, json as lightJson, plain } from 'lapidary/light'
import { link } from 'lapidary/links'
import { timeout } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { tracedFetch, tracing } from 'lapidary/opentelemetry'
import { paginate } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
import { api, type Note, writers } from './api.js'
import { server } from './server.js'

const [folder = '.'] = process.argv.slice(2)
const { url, close } = await listen(server(folder, [tracing(), timeout()]), { port: 0 })
try {
  const anonymous = client(api, url, { fetch: tracedFetch() })
  const call = client(api, url, { auth: [credentials(writers, { username: 'ann', password: 'ink' })] })

  await rejects(anonymous.notes.add({ body: { id: 1, title: 'One' } }), (error) => isHttpError(error, 401))
  const { headers } = await call.notes.add({ body: { id: 1, title: 'One' } })
  equal(headers.Location, '/notes/1')
  for (const [id, title] of [
    [2, 'Two'],
    [3, 'Three'],
  ] as const)
    await call.notes.add({ body: { id, title } })

  const title: string = (await call.notes.one({ params: { id: 1 } })).title
  equal(title, 'One (ann)')
  const missing: unknown = await call.notes.one({ params: { id: 9 } }).catch((error: unknown) => error)
  equal(isDeclaredError(api.notes.one, missing) && missing.status, 404)
  equal(isHttpError(missing) && missing.detail, 'There is no note 9.')

  const titles: string[] = []
  for await (const note of paginate<Note>(call.notes.page, { range: 'title; limit 2; order desc' })) titles.push(note.title)
  deepEqual(titles, ['Two (ann)', 'Three (ann)', 'One (ann)'])
  for await (const note of await call.feed()) equal(titles.includes(note.title), true)
  deepEqual(await call.found({ query: { word: 'Thr' } }), [{ id: 3, title: 'Three (ann)' }])

  const routes = { found: { route: 'GET /found', query: { word: plain }, responses: [[200, lightJson]] } } as const
  const light = lightClient<Pick<typeof api, 'found'>>(routes, url)
  deepEqual(await light.found({ query: { word: 'Thr' } }), [{ id: 3, title: 'Three (ann)' }])
  const queryClient = new QueryClient()
  const found = await queryClient.fetchQuery(queryOptions(light.found, { query: { word: 'Thr' } }))
  equal(found[0]?.title, 'Three (ann)')
  deepEqual(pathKey(call.notes.one, { params: { id: 1 } }), ['notes', '1'])
  deepEqual(mutationOptions(call.notes.add).mutationKey, ['POST /notes'])
  equal(lapidaryRoutes({ api: 'api.ts', out: 'api.routes.ts' }).name, 'lapidary-routes')

  equal(link(api.found, { query: { word: 'a & b' } }), '/found?word=a%20%26%20b')
  match(markdown(await outline(api)), /^## GET \/notes\/:id$/m)
  const document = await openapi(api, { title: 'Notes', version: '1.0.0' })
  deepEqual(Object.keys(document.paths ?? {}), ['/notes', '/notes/{id}', '/found', '/feed'])
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  deepEqual(Object.keys(fromOpenApi(await readOpenApi(join(folder, 'openapi.json'))).api).sort(), Object.keys(api).sort())

  const docs = serve({ docs: mount('/docs') }, { docs: documentationPage(api, { title: 'Notes' }) })
  match(await (await docs.fetch(new Request('http://docs.test/docs'))).text(), /<title>Notes<\/title>/)

  const draft = client(api, 'http://draft.test', { fetch: mock(api).fetch })
  equal((await draft.notes.one({ params: { id: 2 } })).id, 2)

  writeFileSync(join(folder, 'note.txt'), 'Attached.\n')
  equal(await (await fetch(`${url}/attachments/note.txt`)).text(), 'Attached.\n')

  deepEqual(diff(manifest(api), manifest(api)), [])
  const { failures } = await checkServer(api, url, { requests: 300, only: ['found', 'feed'] })
  deepEqual(failures, [])

  const noteAdded = webhook('note.added', { body: json })
  const secret = createWebhookSecret()
  const received: unknown[] = []
  const receiver = serve(
    { added: receiveWebhook('POST /added', noteAdded) },
    { added: ({ body }) => void received.push(body) },
    { auth: [authenticateWebhooks({ secret })] },
  )
  const sender = createWebhookSender({ noteAdded }, { secret, fetch: (request) => receiver.fetch(request) })
  await sender.send.noteAdded('https://notes.example/added', { id: 1 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await sender.close()
  deepEqual(received, [{ id: 1 }])

  const llhttp = await listenWithLlhttp(server(folder))
  equal(llhttp.adapter, 'llhttp')
  equal(await (await fetch(`${llhttp.url}/attachments/note.txt`)).text(), 'Attached.\n')
  await llhttp.close({ drain: 0 })
  await rejects(listenOnBun(server(folder)), TypeError)
  equal(typeof toLambdaHandler(server(folder)), 'function')
} finally {
  await close()
}
process.stdout.write('Every subpath works.\n')
