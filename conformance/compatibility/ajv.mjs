/** Schemas as ajv reads them, which judges every verdict. */

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** @typedef {(value: unknown) => boolean} Judge */

const options = { strict: false, logger: false, ownProperties: true, multipleOfPrecision: 9, unicodeRegExp: true }

const knownFormats = ['date', 'email', 'uuid']

/** What ajv says of a value. Code that it makes of some schemas with `unevaluatedProperties` throws: such a schema it cannot judge. */
const createJudge = (/** @type {(value: unknown) => unknown} */ validate) => (/** @type {unknown} */ value) => {
  try {
    return validate(value) === true
  } catch {
    return false
  }
}

/**
 * Compiles a schema whose parts are all in it. Formats restrict texts. Of an unknown one no text is known to fit.
 *
 * @param {import('./suite.mjs').Schema} schema @returns {Judge}
 */
export function compileSchema(schema) {
  // Its own schema would cost more than all others: these schemas are sound by their making.
  const ajv = new Ajv2020({
    ...options,
    validateSchema: false,
    meta: false,
    code: { optimize: false },
    formats: { 'no-such-format': () => false },
  })
  addFormats.default(ajv, knownFormats)
  return createJudge(ajv.compile(schema))
}

/**
 * Compiles schemas of the suite, which refer to other documents. Formats are annotations there.
 *
 * @param {ReadonlyMap<string, import('./suite.mjs').Schema>} remotes
 * @returns {(schema: import('./suite.mjs').Schema) => Judge | undefined} undefined for a schema that ajv refuses
 */
export function createSuiteCompiler(remotes) {
  return (schema) => {
    const ajv = new Ajv2020({ ...options, validateFormats: false })
    try {
      if (JSON.stringify(schema).includes('localhost:1234')) for (const [url, document] of remotes) ajv.addSchema(document, url)
      const validate = ajv.compile(schema)
      // One that refers to itself for the same value overflows the stack.
      for (const value of [null, [], {}]) validate(value)
      return createJudge(validate)
    } catch {
      return undefined
    }
  }
}
