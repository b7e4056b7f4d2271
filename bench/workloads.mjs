/** What is asked of every server: the request as it goes over the wire, and what has to come back. */

/**
 * @typedef {object} Workload
 * @property {string} request  one whole HTTP/1.1 request, sent as UTF-8
 * @property {number} status   of every answer
 * @property {unknown} body    the JSON value of every answer
 */

/** @param {string} target */
const get = (target) => `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n`

/** @param {string} target @param {unknown} value */
function post(target, value) {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  return `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`
}

const client = { clientName: 'Ann', clientEmail: 'ann@example.com', clientAge: 26, clientInterestedIn: ['haskell', 'mathematics'] }

/** @type {Record<string, Workload>} */
export const workloads = {
  hello: { request: get('/hello?name=Ann'), status: 200, body: { msg: 'Hello, Ann' } },
  position: { request: get('/position/1/2'), status: 200, body: { xCoord: 1, yCoord: 2 } },
  marketing: {
    request: post('/marketing', client),
    status: 200,
    body: {
      from: 'great@company.com',
      to: 'ann@example.com',
      subject: 'Hey Ann, we miss you!',
      body: "Hi Ann,\n\nSince you've recently turned 26, have you checked out our latest haskell, mathematics products? Give us a visit!",
    },
  },
}
