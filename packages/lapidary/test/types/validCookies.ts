/** Cookies: what a handler gets and what a call takes. Read by the compiler alone. */
import { array, bool, date, dateTime, endpoint, int, noContent, oneOf, optional, type ParameterRecord, text } from 'lapidary'
import { client } from 'lapidary/client'
import type { Handlers } from 'lapidary/server'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const api = {
  visit: endpoint('GET /visit', {
    query: { tag: array(text) },
    cookies: { session: text, currency: oneOf(['EUR', 'USD'], { default: 'EUR' }), visits: optional(int), loud: bool({ default: false }) },
    response: noContent,
  }),
  other: endpoint('POST /other', { cookies: { session: text({ minLength: 1 }) }, body: text, response: noContent }),
  none: endpoint('GET /none', { response: noContent }),
}

export const handlers: Handlers<typeof api> = {
  visit: ({ cookies }) => {
    interface Read {
      readonly session: string
      readonly currency: 'EUR' | 'USD'
      readonly visits: number | undefined
      readonly loud: boolean
    }
    yes<Same<{ [Name in keyof typeof cookies]: (typeof cookies)[Name] }, { [Name in keyof Read]: Read[Name] }>>()
  },
  other: ({ body, cookies }) => void [body.length, cookies.session.length],
  // @ts-expect-error There are no cookies.
  none: ({ cookies }) => void cookies,
}

const call = client(api, 'http://127.0.0.1')
void call.visit({ cookies: { session: 'a' } })
void call.visit({ cookies: { session: 'a', currency: 'USD', visits: 1, loud: true } })
// A browser sends its own.
void call.visit()
void call.other({ body: 'a' })
// @ts-expect-error The session is missing.
void call.visit({ cookies: {} })
// @ts-expect-error There are no cookies.
void call.none({ cookies: { session: 'a' } })

/** Every kind of value. */
export const kinds = endpoint('GET /kinds', {
  cookies: { a: date, b: dateTime, c: optional(dateTime), d: dateTime({ default: new Date() }) },
  response: noContent,
})

/** An endpoint with any cookies. */
export const reading = <Cookies extends ParameterRecord>(cookies: Cookies) => endpoint('GET /any', { cookies, response: noContent })
