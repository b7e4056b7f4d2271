/**
 * Public suites judge the toolkit: what JSON is, what HTTP/1.1 allows, how schemas validate. docs/conformance.md has what passes, what is refused
 * with a reason, and what does not apply. Their data come from GitHub at the first run, and from npm.
 *
 *   npm run conformance -- --only others
 *   SUITES=json,h1spec npm run conformance -- --only others
 */
import assert from 'node:assert/strict'
import { log } from '../log.mjs'
import { countOutcome } from '../others/cases.mjs'
import { checkPage } from '../others/page.mjs'
import { fetchSource } from '../others/source.mjs'

/** Each by its file in `others/`, in the order of the page. */
const names = ['jsonSchema', 'json', 'structuredFields', 'webEvents', 'forms', 'mediaTypes', 'h1spec', 'httpRules', 'typespec', 'smithy']

function selectSuites() {
  const { SUITES: wanted = names.join() } = process.env
  const selected = wanted.split(',')
  for (const name of selected) assert(names.includes(name), `SUITES=${name}: expected one of ${names.join(', ')}`)
  return names.filter((name) => selected.includes(name))
}

/** @param {string} name @param {import('../stage.mjs').Stage} stage @returns {Promise<import('../others/page.mjs').Result>} */
async function runSuite(name, stage) {
  log(`others: ${name} …`)
  const suite = await import(`../others/${name}.mjs`)
  const folders = []
  for (const source of suite.sources) folders.push(await fetchSource(source))
  return { ...suite, name, cases: await suite.run(folders, stage) }
}

/** @param {import('../stage.mjs').Stage} stage */
export async function check(stage) {
  const results = []
  for (const name of selectSuites()) results.push(await runSuite(name, stage))
  const failed = results.flatMap(({ title, cases }) =>
    cases.filter(({ outcome }) => outcome === 'failed').map(({ name, reason }) => `${title}: ${name}: ${reason}`),
  )
  assert(failed.length === 0, `${failed.length} cases fail:\n${failed.join('\n')}`)
  checkPage(results)
  const cases = results.flatMap((one) => one.cases)
  const counts = /** @type {const} */ (['passed', 'refused', 'not applicable']).map(
    (outcome) => `${countOutcome(cases, outcome)} ${outcome}`,
  )
  return `${cases.length} cases of ${results.length} suites: ${counts.join(', ')}`
}
