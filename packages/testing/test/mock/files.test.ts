/** The mock of files: small, the same each time, with ranges and conditions, also where another endpoint changes them. */
import { checkServer, mock } from '@lapidary/testing'
import { type Api, bytes, download, endpoint, file, int, multipart, noContent, ok, prefix, reply } from 'lapidary'
import { client } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { expect, onTestFinished, test } from 'vitest'

const params = { id: int }
const api = {
  report: endpoint('GET /reports/:id', { params, response: ok(download('text/csv', 'application/pdf')), errors: [reply(404)] }),
  photo: prefix('/photos/:id', params, {
    read: endpoint('GET /', { response: ok(download('image/png')) }),
    write: endpoint('PUT /', { body: multipart({ photo: file() }), response: noContent }),
  }),
  scan: prefix('/scan', {
    read: endpoint('GET /', { response: ok(download()) }),
    write: endpoint('PUT /', { body: bytes, response: noContent }),
  }),
} satisfies Api
const call = client(api, 'http://mock.test', { fetch: mock(api).fetch })

test('a file is the same for the same request, and another for another', async () => {
  const [one, again, other] = await Promise.all([7, 7, 8].map(async (id) => call.report({ params: { id } })))
  expect([one?.type, await one?.text()]).toEqual(['text/csv', await again?.text()])
  expect(await one?.text()).not.toBe(await other?.text())
  const part = await call.report({ params: { id: 7 } }, { headers: { Range: 'bytes=2-9' } })
  expect(await part.text()).toBe((await one?.text())?.slice(2, 10))
})

test('a mock of files passes every rule, and each file is tested', async () => {
  const { url, close } = await listen(mock(api))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures, endpoints } = await checkServer(api, url, { requests: 600, seconds: 120, time: 60_000, seed: 1, write: true })
  expect(failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])).toEqual([])
  expect(endpoints.filter(({ passed }) => passed.includes('download')).map(({ endpoint: name }) => name)).toEqual([
    'report',
    'photo.read',
    'scan.read',
  ])
})
