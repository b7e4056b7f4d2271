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

/** A case that answers with this status, or else says so at once. @param {string} name @param {number} status @param {string} target */
function answering(name, status, target, rawHeaders = /** @type {string[]} */ ([])) {
  const run = () => handler(new Request(target, rawHeaders))
  assert.equal(run().status, status, name)
  return /** @type {const} */ ([name, run])
}

/** @type {readonly import('../parts.mjs').Case[]} */
export const cases = [
  answering('hello', 200, '/hello?name=Ann'),
  answering('position', 200, '/position/1/2'),
  answering('a capture that is wrong', 400, '/position/a/2'),
  answering('100 users', 200, '/hundred'),
  answering('not modified', 304, '/tagged', ['if-none-match', tagOf(JSON.stringify(hundred))]),
  answering('nothing there', 404, '/nothing/here'),
]
