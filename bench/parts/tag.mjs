/** From a body to its entity tag. */
import { sha256 } from '../../lapidary/dist/server/sha256.js'
import { tagOf } from '../servers/checks.mjs'
import { hundred } from '../servers/data.mjs'

const text = JSON.stringify(hundred)
const small = JSON.stringify(hundred[0])
const encoder = new TextEncoder()

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['the digest of one user', () => sha256(encoder.encode(small))],
  ['the digest of 100 users', () => sha256(encoder.encode(text))],
  ['beside it: node:crypto, one user', () => tagOf(small)],
  ['beside it: node:crypto, 100 users', () => tagOf(text)],
]
