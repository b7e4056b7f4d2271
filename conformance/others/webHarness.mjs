/** The part of testharness.js that the tests of web-platform-tests use: each test runs in a context with the globals that it judges. */
import assert from 'node:assert/strict'
import { createContext, runInContext } from 'node:vm'

/** How long a test may take, in milliseconds: the longest waits for three seconds. */
const patience = 10_000

const assertions = {
  assert_equals: (actual, expected) => assert.equal(actual, expected),
  assert_true: (actual, message) => assert.equal(actual, true, message),
  assert_false: (actual, message) => assert.equal(actual, false, message),
  assert_greater_than: (actual, expected, message) => assert(actual > expected, message),
  assert_unreached: (message) => assert.fail(message ?? 'this must not happen'),
}

/** A test that ends when it says so, or when a step of it fails. */
function createAsyncTest(name) {
  let end
  const ended = new Promise((resolve) => {
    end = resolve
  })
  const timer = setTimeout(() => end('the test does not end'), patience)
  const test = {
    step: (run, owner = test) => {
      try {
        return run.call(owner)
      } catch (error) {
        end(error.message)
      }
    },
    step_func: (run) => (event) => test.step(() => run.call(test, event)),
    done: () => end(),
  }
  return { test, result: ended.then((fault) => ({ name, fault })).finally(() => clearTimeout(timer)) }
}

/**
 * Runs the scripts of a test in one context, and returns the faults of its tests.
 *
 * @param {readonly string[]} scripts
 * @param {Readonly<Record<string, unknown>>} globals
 * @returns {Promise<readonly { name: string, fault?: string }[]>}
 */
export async function runScripts(scripts, globals) {
  const [, title = ''] = /^\/\/ META: title=(.*)$/m.exec(scripts.join('\n')) ?? []
  const results = []
  const context = createContext({
    ...assertions,
    ...globals,
    async_test: () => {
      const { test, result } = createAsyncTest(title)
      results.push(result)
      return test
    },
    promise_test: (run, name) => {
      const ended = Promise.resolve().then(() => run())
      results.push(
        ended.then(
          () => ({ name }),
          (error) => ({ name, fault: error.message }),
        ),
      )
    },
  })
  for (const script of scripts) runInContext(script, context)
  return Promise.all(results)
}
