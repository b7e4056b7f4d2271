/** The handlers: from what the contract reads to the database, and back. */
import { randomBytes } from 'node:crypto'
import { on } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hash } from '@node-rs/argon2'
import { applyMergePatch, errors, respond, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import { type Handlers, type Next, provide } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { z } from 'zod'
import { api, NewBookmark, type User } from './api.ts'
import { digest, isPassword } from './auth.ts'
import { parseCsv } from './csv.ts'
import type { Store } from './store.ts'
import type { startWork } from './work.ts'

const headers = { 'Content-Security-Policy': "default-src 'self'; frame-ancestors 'none'" }
const pages = serveStatic(fileURLToPath(new URL('public', import.meta.url)), { headers })
const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

const requireAdmin = async ({ user }: { readonly user: User }, next: Next) => {
  if (user.role !== 'admin') throw errors.forbidden({ detail: `${user.name} is no admin.` })
  return next()
}

export function createHandlers({ read, write, bell }: Store, checkLinks: ReturnType<typeof startWork>): Handlers<typeof api> {
  /** Commits when the handler is done. An error that it throws or returns rolls back. */
  const transaction = (_: unknown, next: Next) => write((tx) => next({ tx }))

  async function addKey(account: number, scopes: readonly string[]): Promise<string> {
    const key = randomBytes(32).toString('base64url')
    await write((tx) => tx.addKey(account, digest(key), scopes))
    return key
  }
  const logIn = async (account: number) => ({ 'Set-Cookie': { session: await addKey(account, []) } })

  const { search, one, thumbnail, export: _, ...changing } = api.bookmarks
  return {
    account: {
      signUp: async ({ body: { name, password }, fail }) => {
        const passwordHash = await hash(password)
        const account = (await write((tx) => tx.addAccount(name, passwordHash))) ?? fail(409, { detail: `The name ${name} is taken.` })
        return withHeaders(account, { Location: link(api.account.me), ...(await logIn(account.id)) })
      },
      logIn: async ({ body: { name, password }, fail }) => {
        const account = read.account(name)
        const isRight = await isPassword(password, account?.password)
        if (account === undefined || !isRight) return fail(403, { detail: 'The name or the password is wrong.' })
        return withHeaders(await logIn(account.id))
      },
      me: ({ user }) => user,
      addToken: async ({ user, body: { scopes } }) => ({ token: await addKey(user.id, scopes) }),
      setWebhook: async ({ user, body: { url, secret } }) => void (await write((tx) => tx.setWebhook(user.id, url, secret))),
    },
    admin: provide(api.admin, requireAdmin, { accounts: () => read.accounts() }),
    bookmarks: {
      search: ({ user, query }) => read.search(user.id, query),
      one: ({ user, params: { id }, fail }) => read.bookmark(user.id, id) ?? fail(404),
      thumbnail: ({ user, params: { id }, fail }) => new Blob([read.thumbnail(user.id, id)?.png ?? fail(404)]),
      export: ({ user }) => read.bookmarks(user.id),
      ...provide(changing, transaction, {
        add: ({ user, body, tx, fail }) => {
          const bookmark = tx.add(user.id, body) ?? fail(409, { detail: 'This bookmark is there already.' })
          return withHeaders(bookmark, { Location: link(api.bookmarks.one, { params: { id: bookmark.id } }) })
        },
        change: ({ user, params: { id }, body, precondition, tx, fail }) => {
          const bookmark = tx.bookmark(user.id, id) ?? fail(404)
          precondition(bookmark)
          const changed = applyMergePatch(NewBookmark, bookmark, body)
          return tx.change(user.id, id, changed) ?? fail(409, { detail: 'Another bookmark has this URL.' })
        },
        remove: ({ user, params: { id }, precondition, tx, fail }) => {
          const bookmark = tx.bookmark(user.id, id) ?? fail(404)
          precondition?.(bookmark)
          tx.remove(user.id, id)
        },
        setThumbnail: async ({ user, params: { id }, body: { picture }, tx, fail }) => {
          const bytes = await picture.bytes()
          if (!pngSignature.equals(bytes.subarray(0, 8))) return fail(422, { detail: 'The picture is no PNG.' })
          tx.setThumbnail(user.id, tx.bookmark(user.id, id)?.id ?? fail(404), bytes)
        },
        import: async ({ user, body: { sheet }, tx, fail }) => {
          const records = parseCsv(await sheet.text()) ?? fail(422, { detail: 'The file is no CSV.' })
          let added = 0
          for (const [index, record] of records.entries()) {
            const { data, error } = NewBookmark.safeParse({ ...record, tags: record['tags']?.split(' ') })
            if (error) return fail(422, { detail: `Line ${index + 2} is wrong: ${z.prettifyError(error)}` })
            if (tx.add(user.id, data) !== undefined) added += 1
          }
          return { added, known: records.length - added }
        },
      }),
    },
    checks: {
      start: async ({ user }) => {
        const { current, check, bookmarks } = await write((tx) => {
          const current = tx.checks(user.id).find(({ total, done }) => done < total)
          const bookmarks = [...tx.bookmarks(user.id)]
          return { current, check: current ?? tx.addCheck(user.id, bookmarks.length), bookmarks }
        })
        const headers = { Location: link(api.checks.one, { params: { id: check.id } }) }
        if (current !== undefined) return respond(303, withHeaders(headers))
        void checkLinks(user.id, check.id, bookmarks)
        return withHeaders(check, headers)
      },
      one: ({ user, params: { id }, fail }) => {
        const check = read.checks(user.id).find((one) => one.id === id) ?? fail(404)
        if (check.done < check.total) return check
        return respond(303, withHeaders({ Location: link(api.bookmarks.search, { query: { filter: { isDead: true } } }) }))
      },
    },
    changes: async function* ({ user, headers: { 'Last-Event-ID': first = read.lastChange() } }, { signal, shutdown }) {
      const end = AbortSignal.any([signal, shutdown])
      // It listens before it reads the log, so that nothing is lost in between.
      const rings = on(bell, 'change', { signal: end })
      try {
        for (let last = first; ; await rings.next())
          for (const { id, ...change } of read.changes(user.id, last)) {
            last = id
            yield { ...change, id: `${id}` }
          }
      } catch (error) {
        if (!end.aborted) throw error
      }
    },
    receive: async ({ user, body: { data } }) => void (await write((tx) => tx.add(user.id, data))),
    pages,
  }
}
