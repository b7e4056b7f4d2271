/** How a rule about HTTP is judged: by what the service has sent, by bytes of its own, or not at all. */

/**
 * @typedef {import('./record.mjs').Exchange} Exchange
 * @typedef {import('./record.mjs').Response} Response
 */

/**
 * The verdict on a rule: undefined where it holds, `none` where nothing was sent that it is about, else what was found.
 *
 * @typedef {(exchanges: readonly Exchange[], url: string) => Promise<string | undefined> | string | undefined} Judge
 */

/** @typedef {readonly [name: string, level: 'MUST' | 'SHOULD' | 'grammar', section: string, demand: string, judge: Judge]} Rule */

export const none = 'none'

/** The values of a header. @param {Response} response @param {string} name in lower case */
export const listValues = ({ headers }, name) => headers.filter(([field]) => field === name).map(([, value]) => value)

/** @param {Response} response @param {string} name in lower case */
export const hasField = (response, name) => listValues(response, name).length > 0

const describe = (/** @type {Exchange} */ { scheme, version, method, target }, /** @type {Response} */ { status, headers }) =>
  `${scheme} ${version} ${method} ${target}: ${status} ${JSON.stringify(Object.fromEntries(headers))}`

/**
 * Judges each response that a rule is about.
 *
 * @param {(response: Response, exchange: Exchange) => boolean} isAbout
 * @param {(response: Response, exchange: Exchange) => boolean} holds
 * @returns {Judge}
 */
export const each = (isAbout, holds) => (exchanges) => {
  let count = 0
  for (const exchange of exchanges)
    for (const response of exchange.responses) {
      if (!isAbout(response, exchange)) continue
      count += 1
      if (!holds(response, exchange)) return describe(exchange, response)
    }
  return count === 0 ? none : undefined
}

/**
 * Judges each value of a header by its grammar.
 *
 * @param {string} name in lower case
 * @param {RegExp | ((value: string) => boolean)} grammar
 */
export const matches = (name, grammar) => {
  const isValid = typeof grammar === 'function' ? grammar : (/** @type {string} */ value) => grammar.test(value)
  return each(
    (response) => hasField(response, name),
    (response) => listValues(response, name).every(isValid),
  )
}

const isSame = (/** @type {Readonly<Record<string, string>>} */ some, /** @type {Readonly<Record<string, string>>} */ others) =>
  JSON.stringify(Object.entries(some).sort()) === JSON.stringify(Object.entries(others).sort())

/**
 * Judges a response beside that to a GET of the same target: with the same headers where there is one, else with none.
 *
 * @param {(response: Response, exchange: Exchange) => boolean} isAbout
 * @param {(response: Response, plain: Response) => boolean} holds
 * @returns {Judge}
 */
export const besideGet = (isAbout, holds) => (exchanges) => {
  const find = (/** @type {Exchange} */ { method, target, scheme, version, headers }) => {
    const gets = exchanges.filter(
      (one) => one.method === 'GET' && one.target === target && one.scheme === scheme && one.version === version,
    )
    const same = method === 'GET' ? undefined : gets.find((one) => isSame(one.headers, headers))
    return (same ?? gets[0])?.responses.at(-1)
  }
  return each(
    (response, exchange) => isAbout(response, exchange) && find(exchange) !== undefined,
    (response, exchange) => holds(response, /** @type {Response} */ (find(exchange))),
  )(exchanges, '')
}
