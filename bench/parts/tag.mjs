/** From a body to its entity tag. */
import { digest, portableDigest } from '../../packages/lapidary/dist/http/digest.js'
import { tagOf } from '../servers/checks.mjs'
import { hundred } from '../servers/data.mjs'

const text = JSON.stringify(hundred)
const small = JSON.stringify(hundred[0])

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['the digest of one user', () => digest('application/json\n', small)],
  ['the digest of 100 users', () => digest('application/json\n', text)],
  ['where the platform has none, of one user', () => portableDigest('application/json\n', small)],
  ['where the platform has none, of 100 users', () => portableDigest('application/json\n', text)],
  ['beside it: node:crypto, one user', () => tagOf(small)],
  ['beside it: node:crypto, 100 users', () => tagOf(text)],
]
