/** A whole request without a socket: what a server adds to its adapter. */
import assert from 'node:assert/strict'
import { app } from '../servers/apps/lapidary.mjs'
import { tagOf } from '../servers/checks.mjs'
import { hundred } from '../servers/data.mjs'
import { rows } from '../servers/sqlite.mjs'

const handler = app(rows)

/** A request as adapters make one: an instance of a class, since an object literal with methods costs more than the response. */
class Request {
  /** @param {string} target @param {readonly string[]} rawHeaders */
  constructor(target, rawHeaders) {
    this.method = 'GET'
    this.target = target
    this.rawHeaders = rawHeaders
    this.remoteAddress = '127.0.0.1'
    this.id = undefined
  }

  /** @param {string} name */
  header(name) {
    return this.rawHeaders[this.rawHeaders.indexOf(name) + 1 || this.rawHeaders.length]
  }
}

/** Creates a case, and throws at once where the response has another status. @param {string} name @param {number} status @param {string} target */
function createCase(name, status, target, rawHeaders = /** @type {string[]} */ ([])) {
  const run = () => handler(new Request(target, rawHeaders))
  assert.equal(run().status, status, name)
  return /** @type {const} */ ([name, run])
}

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  createCase('hello', 200, '/hello?name=Ann'),
  createCase('position', 200, '/position/1/2'),
  createCase('a capture that is wrong', 400, '/position/a/2'),
  createCase('100 users', 200, '/hundred'),
  createCase('not modified', 304, '/tagged', ['if-none-match', tagOf(JSON.stringify(hundred))]),
  createCase('nothing there', 404, '/nothing/here'),
]
