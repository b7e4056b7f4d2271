/** From a value to the text of a response, declared members alone. */
import { list, ok } from 'lapidary'
import { z } from 'zod'
import { createReplyWriter } from '../../packages/lapidary/dist/server/write.js'
import { greeting, hundred } from '../servers/data.mjs'
import { Email, Hello } from '../servers/schemas.mjs'

const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.iso.date() })
const createWriter = (/** @type {any} */ schema) => createReplyWriter('GET /', ok(schema), []).write
const [hello, email, users] = [createWriter(Hello), createWriter(Email), createWriter(list(User))]

const message = greeting('Ann')
const letter = { from: 'great@company.com', to: 'ann@example.com', subject: 'Hey Ann, we miss you!', body: 'Hi Ann,\n\nGive us a visit!' }

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['a greeting', () => hello(message, 0)],
  ['an email, with line feeds', () => email(letter, 0)],
  ['100 users', () => users(hundred, 0)],
  ['beside it: JSON.stringify, a greeting', () => JSON.stringify(message)],
  ['beside it: JSON.stringify, an email', () => JSON.stringify(letter)],
  ['beside it: JSON.stringify, 100 users', () => JSON.stringify(hundred)],
]
