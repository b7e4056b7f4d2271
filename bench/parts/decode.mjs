/** From the bytes of a body to its value, checked. */
import { content, json } from 'lapidary'
import { createBodyDecoders } from '../../packages/lapidary/dist/contract/bodyDecoders.js'
import { ParseError } from '../../packages/lapidary/dist/json-schema/parseError.js'
import { users } from '../servers/data.mjs'
import { ClientInfo, Users } from '../servers/schemas.mjs'
import { client } from '../workloads.mjs'

const refuse = () => new ParseError([])
const createDecoder = (/** @type {any} */ schema) => createBodyDecoders(content(schema, json), refuse).get('application/json')
const [one, hundred] = [createDecoder(ClientInfo), createDecoder(Users)]

const bytes = (/** @type {unknown} */ value) => Buffer.from(JSON.stringify(value))
const small = bytes(client)
const wrong = bytes({ ...client, clientAge: 'old' })
const large = bytes(users(100))

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['a client', () => one?.(small)],
  ['a client whose age is wrong', () => one?.(wrong)],
  ['100 users', () => hundred?.(large)],
  ['beside it: JSON.parse, a client', () => JSON.parse(small.toString())],
  ['beside it: JSON.parse, 100 users', () => JSON.parse(large.toString())],
  ['beside it: zod, a client', () => ClientInfo.safeParse(client)],
]
