/** The specification's "Hello". */

import { assert, asyncProperty, string } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, json, problem, specify } from './expected.ts'
import { send } from './send.ts'

const it = await service()
afterAll(it.close)

const hello = (name: string) => json({ msg: `Hello, ${name}` })

describe.each([
  ['main', it.main],
  ['docs', it.docs],
])('in the deployment %s', (_deployment, base) => {
  specify(base, [
    ['when name is absent, msg is "Hello, anonymous coward"', 'GET /hello', hello('anonymous coward')],
    ['when name is present, msg is "Hello, " followed by the name value', 'GET /hello?name=Alp', hello('Alp')],
    ['an empty name is present', 'GET /hello?name=', hello('')],
    ['name is a string: 1 is "1"', 'GET /hello?name=1', hello('1')],
    ['name is decoded', 'GET /hello?name=Ann+%26+Zo%C3%AB', hello('Ann & Zoë')],
    ['nothing is escaped but by JSON', 'GET /hello?name=%3Cb%3E%22%5C%0A', hello('<b>"\\\n')],
    ['name twice is refused', 'GET /hello?name=Alp&name=Ann', problem(400, {}, { in: 'query', name: 'name' })],
  ])
})

test('any name is greeted, through URLSearchParams and fetch', async () => {
  await assert(
    asyncProperty(string({ unit: 'grapheme' }), async (name) => {
      const response = await fetch(`${it.main}/hello?${new URLSearchParams({ name })}`)
      expect(await response.json()).toEqual({ msg: `Hello, ${name}` })
      expect(comparable(await send(it.main, `GET /hello?name=${encodeURIComponent(name)}`))).toEqual(hello(name))
    }),
  )
})
