/** A redirection that an endpoint declares reaches the caller; one that it does not is followed. Over sockets, by the global fetch. */

import { endpoint, HttpError, isHttpError, ok, reply, text } from 'lapidary'
import type { RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clients } from '../support/client/clients.ts'
import { listen } from '../support/matrix/adapters.ts'

describe.each(clients)('$kind', ({ createClient: client, isDeclared: isDeclaredError, isLight }) => {
  const statuses = [301, 302, 303, 307, 308] as const

  const declaring = (status: number) => ({
    raises: endpoint('GET /raises', { response: ok(text), errors: [reply(status)] }),
    posts: endpoint('POST /posts', { body: text, response: ok(text), errors: [reply(status)] }),
    redirects: endpoint('GET /answers', { response: reply(status, undefined, { headers: { Location: text } }) }),
  })
  /** The same paths, of which nothing is known but their success. */
  const silent = {
    raises: endpoint('GET /raises', { response: ok(text) }),
    posts: endpoint('POST /posts', { body: text, response: ok(text) }),
  }
  const landing = {
    get: endpoint('GET /landed', { response: ok(text) }),
    post: endpoint('POST /landed', { body: text, response: ok(text) }),
  }

  describe.each(statuses)('%i', (status) => {
    const api = declaring(status)
    const away = (): never => {
      throw new HttpError(status, { body: '', headers: { Location: '/landed' } })
    }
    let listening: RunningServer
    let landed = 0
    beforeAll(async () => {
      const land = (how: string): string => {
        landed += 1
        return `landed by ${how}`
      }
      listening = await listen(
        serve(
          { api, landing },
          {
            api: { raises: away, posts: away, redirects: () => ({ body: undefined, headers: { Location: '/landed' } }) },
            landing: { get: () => land('GET'), post: ({ body }) => land(`POST of ${body}`) },
          },
        ),
      )
    })
    afterAll(() => listening.close({ drain: 0, grace: 0 }))

    test('declared as an error it is thrown, and not followed', async () => {
      const before = landed
      const { raises, posts } = client(api, listening.url)
      for (const [endpointOf, call] of [
        [api.raises, () => raises()],
        [api.posts, () => posts({ body: 'words' })],
      ] as const) {
        const error = await call().catch((thrown: unknown) => thrown)
        expect(error).toSatisfy(isHttpError)
        expect(error instanceof HttpError).toBe(!isLight)
        expect(error).toMatchObject({ status, headers: { location: '/landed' } })
        expect(isDeclaredError(endpointOf, error)).toBe(true)
      }
      expect(landed).toBe(before)
    })

    test('declared as the success it is the answer', async () => {
      const before = landed
      expect(await client(api, listening.url).redirects()).toEqual({ body: undefined, headers: { Location: '/landed' } })
      expect(landed).toBe(before)
    })

    test('declared nowhere it is followed', async () => {
      const { raises, posts } = client(silent, listening.url)
      expect(await raises()).toBe('landed by GET')
      // 307 and 308 keep method and body (RFC 9110 §15.4).
      // The light client does what a browser does with a body.
      if (isLight) await expect(posts({ body: 'words' })).rejects.toMatchObject({ status })
      else expect(await posts({ body: 'words' })).toBe(status >= 307 ? 'landed by POST of words' : 'landed by GET')
    })
  })
})
