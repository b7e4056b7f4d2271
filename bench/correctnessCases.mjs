/** The requests that are sent to every server before it is measured, valid and invalid: no server is fast by doing less than the others. */
import { client, get, post } from './workloads.mjs'

/**
 * @typedef {object} CorrectnessCase
 * @property {string} name
 * @property {string} request
 * @property {number} status       of the response of the baseline
 * @property {unknown} [body]      the JSON value of the body of the response; without it every body is correct
 * @property {boolean} [required]  whether a server with another response is not measured
 */

const { clientEmail: _, ...nameless } = client
const postMarketing = (/** @type {object} */ changed, type = 'application/json') =>
  post('/marketing', JSON.stringify({ ...client, ...changed }), type)
const createGreeting = (/** @type {string} */ name) => ({ body: { msg: `Hello, ${name}` } })

/** @type {readonly CorrectnessCase[]} */
export const correctnessCases = [
  { name: 'a greeting without a name', request: get('/hello'), status: 200, ...createGreeting('anonymous coward'), required: true },
  { name: 'a name with escapes', request: get('/hello?name=J%C3%B6rg+M%26M'), status: 200, ...createGreeting('Jörg M&M'), required: true },
  { name: 'negative integers', request: get('/position/-1/0'), status: 200, body: { xCoord: -1, yCoord: 0 }, required: true },
  { name: 'a word for an integer', request: get('/position/a/2'), status: 400, required: true },
  { name: 'a fraction for an integer', request: get('/position/1.5/2'), status: 400, required: true },
  { name: 'one capture of two', request: get('/position/1'), status: 404, required: true },
  { name: 'a body that is no JSON', request: post('/marketing', '{"clientName":'), status: 400, required: true },
  { name: 'a body without a member', request: post('/marketing', JSON.stringify(nameless)), status: 400, required: true },
  { name: 'a word for a number in a body', request: postMarketing({ clientAge: 'old' }), status: 400, required: true },
  { name: 'another thing in an array', request: postMarketing({ clientInterestedIn: [{}] }), status: 400, required: true },
  { name: 'a fraction in a body', request: postMarketing({ clientAge: 26.5 }), status: 400, required: true },
  { name: 'digits in quotes for a number', request: postMarketing({ clientAge: '26' }), status: 400 },
  { name: 'a number for a text', request: postMarketing({ clientName: 1 }), status: 400 },
  { name: 'a body of another type', request: postMarketing({}, 'text/csv'), status: 415 },
  { name: 'a body of two megabytes', request: postMarketing({ clientName: 'a'.repeat(2_000_000) }), status: 413 },
  { name: 'an integer with an exponent', request: get('/position/1e3/2'), status: 400 },
  { name: 'a hexadecimal integer', request: get('/position/0x10/2'), status: 400 },
  { name: 'an integer beyond 2^53', request: get('/position/9007199254740993/2'), status: 400 },
  { name: 'a parameter given twice', request: get('/hello?name=a&name=b'), status: 400 },
  { name: 'a bad escape in a query', request: get('/hello?name=%FF'), status: 400 },
  { name: 'another method', request: get('/hello').replace('GET', 'DELETE'), status: 405 },
]
