/** What the programs have in common: where their calls go, and what is found on the way. */
import { deepEqual } from 'node:assert/strict'

/** `real`: to the servers; `proxied`: to Prism in front of them; `mocked`: to Prism alone, whose values are the examples of the document. */
export const { MODE: mode = 'real', STONES: stonesUrl = '', BOOKMARKS: bookmarksUrl = '', PAGE: page = '' } = process.env

/** The name of a new account. */
export const createName = (program: string): string => `${program}_${mode}`

const violations: string[] = []
let count = 0

/** `fetch`, which keeps what Prism finds in the request or its response. */
export async function observeFetch(...args: Parameters<typeof fetch>): Promise<Response> {
  const request = new Request(...args)
  const response = await fetch(request)
  const found = response.headers.get('sl-violations')
  if (found !== null) violations.push(`${request.method} ${request.url}: ${found}`)
  count += 1
  return response
}

/** Compares a status and what came with it. The values of a mock are examples. */
export function expectResponse<Value>(response: Response | undefined, status: number, actual?: Value, expected?: NoInfer<Value>): void {
  deepEqual([response?.status, mode === 'mocked' ? expected : actual], [status, expected], `${response?.url}, ${mode}`)
}

export const opal = new File(['opal'], 'opal.png', { type: 'image/png' })
export const note = new File(['note'], 'note.txt', { type: 'text/plain' })
export const sheet = new File([`url,title,tags,note\n${page},"Here, ""now""",a b,\n`], 'bookmarks.csv', { type: 'text/csv' })
export const thumbnail = new File([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')], 'opal.png', { type: 'image/png' })

/** The value of the cookie that a response sets. */
export const getSession = (response: Response | undefined): string =>
  /^session=([^;]*)/.exec(response?.headers.getSetCookie()[0] ?? '')?.[1] ?? ''

/** What a reader cannot do, by its name: a call that does it nevertheless. */
type Limits = Readonly<Record<string, () => Promise<{ readonly response?: Response | undefined }>>>

/** Prints what the check reads: what the calls gave, and of each limit the status, or that nothing was sent. */
export async function printFound(limits: Limits): Promise<void> {
  const found: Record<string, unknown> = {}
  if (mode === 'real')
    for (const [name, call] of Object.entries(limits)) {
      found[name] = await call().then(
        ({ response }) => response?.status ?? 'not sent',
        () => 'not sent',
      )
    }
  process.stdout.write(JSON.stringify({ count, violations, limits: found }))
}
