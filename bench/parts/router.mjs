/** From a path to its endpoint, among a hundred routes. */
import { createRouter } from '../../packages/lapidary/dist/http/router.js'

const routes = createRouter()
const literal = (/** @type {string} */ text) => ({ literal: text })
const capture = (/** @type {string} */ name) => ({ capture: name })
for (let number = 0; number < 50; number += 1) {
  routes.getOrInsert([literal(`things${number}`)], () => number)
  routes.getOrInsert([literal(`things${number}`), capture('x'), capture('y')], () => number)
}

const pattern = /^\/things25\/([^/]+)\/([^/]+)\/?$/

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  ['a literal path', () => routes.find('/things25')],
  ['two captures', () => routes.find('/things25/1/2')],
  ['two captures, escaped', () => routes.find('/things25/J%C3%B6rg/2')],
  ['nothing there', () => routes.find('/nothing/here')],
  ['beside it: one regular expression', () => pattern.exec('/things25/1/2')],
]
