/** Files as responses: what a handler returns, and what a call resolves to. Read by the compiler alone. */
import { type DownloadSource, download, endpoint, flag, json, ok, reply, respond, text, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { sendFile } from 'lapidary/static'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const api = {
  report: endpoint('GET /reports/:name', { response: ok(download('application/pdf')), errors: [reply(404)] }),
  sheet: endpoint('GET /sheet', { response: ok(download('text/csv'), { headers: { 'X-Rows': text } }) }),
  later: endpoint('GET /later', { query: { isReady: flag }, response: [ok(download()), reply(202, json)] }),
}

export const server = serve(api, {
  report: async ({ params, fail }) => (await sendFile(`${params.name}.pdf`, { root: 'reports', name: 'report.pdf' })) ?? fail(404),
  sheet: () => withHeaders(new File(['a,b\n'], 'sheet.csv', { type: 'text/csv' }), { 'X-Rows': '1' }),
  later: ({ query }) => (query.isReady ? new Blob([]) : respond(202, 1)),
})

const call = client(api, 'http://127.0.0.1:8081')

export async function results(): Promise<void> {
  const report = await call.report({ params: { name: 'may' } }, { headers: { Range: 'bytes=0-99' } })
  const { body, headers } = await call.sheet()
  const later = await call.later({ query: { isReady: true } })
  yes<Same<typeof report, Blob>>()
  yes<Same<typeof body, Blob>>()
  yes<Same<(typeof headers)['X-Rows'], string>>()
  if (later.status === 200) yes<Same<(typeof later)['body'], Blob>>()
  const source: DownloadSource | undefined = await sendFile('report.pdf')
  source satisfies DownloadSource | undefined
}
