/** The specification's "Persons". */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, json, ofPersons, problem, specify } from './expected.ts'
import { type Element, elements, parsedHtml, textOf } from './html.ts'
import { persons } from './known.ts'
import { send, withHeaders } from './send.ts'

const it = await service()
afterAll(it.close)

const varied = ofPersons
const asHtml = { Accept: 'text/html' }

specify(it.main, [
  ['GET /persons: 200, JSON array of Person by default', 'GET /persons', json(persons, varied)],
  ['with Accept: application/json the same', withHeaders('GET /persons', { Accept: 'application/json' }), json(persons, varied)],
  [
    'with what browsers accept, HTML is sent',
    withHeaders('HEAD /persons', { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }),
    { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...varied }, body: '' },
  ],
  ['neither JSON nor HTML: 406', withHeaders('GET /persons', { Accept: 'image/png' }), problem(406, varied)],
])

/** Adds a person where the service cannot see it. */
const insert = 'INSERT INTO persons (first_name, last_name) VALUES (?, ?)'

describe('the HTML form', () => {
  /** The rows of the one table on a page, each cell as its tag and its text. */
  function rowsOf(page: string): readonly (readonly (readonly [string, string])[])[] {
    const tables = elements(parsedHtml(page), 'table')
    expect(tables).toHaveLength(1)
    return elements(tables[0] as Element, 'tr').map((row) =>
      row.children.filter((child): child is Element => typeof child !== 'string').map((cell) => [cell.tag, textOf(cell)] as const),
    )
  }
  const header = [
    ['th', 'first name'],
    ['th', 'last name'],
  ]
  const row = (first: string, last: string) => [
    ['td', first],
    ['td', last],
  ]

  test('is one table with a header row carrying the labels, then one row per person with two cells', async () => {
    const { status, headers, text } = await send(it.main, withHeaders('GET /persons', asHtml))
    expect({ status, type: headers['content-type'], vary: headers['vary'] }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
      vary: 'Accept',
    })
    expect(rowsOf(text)).toEqual([header, row('Isaac', 'Newton'), row('Albert', 'Einstein')])
  })

  test('has a row for each added person, in the order of the JSON', async () => {
    const { main, database } = await serviceOfTest()
    await database.run(insert, [['Marie', 'Curie']])
    const { body } = comparable(await send(main, 'GET /persons'))
    expect(body).toEqual([...persons, { firstName: 'Marie', lastName: 'Curie' }])
    expect(rowsOf((await send(main, withHeaders('GET /persons', asHtml))).text).slice(1)).toEqual(
      (body as typeof persons).map(({ firstName, lastName }) => row(firstName, lastName)),
    )
  })

  test('escapes names with markup', async () => {
    const { main, database } = await serviceOfTest()
    const names = [
      ['<b>Bold</b>', '</td></tr></table><table>'],
      ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>'],
      ['&lt;b&gt;', '&amp;'],
      ['Tom & Jerry', `"quoted" and 'quoted'`],
      ['Zoë', '🌍'],
      ['', '$& $1 %s'],
    ] as const
    await database.run(insert, names)
    const { text } = await send(main, withHeaders('GET /persons', asHtml))
    expect(rowsOf(text).slice(3)).toEqual(names.map(([first, last]) => row(first, last)))
    expect(text).not.toContain('<b>')
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<img')
    expect(comparable(await send(main, 'GET /persons')).body).toEqual([
      ...persons,
      ...names.map(([firstName, lastName]) => ({ firstName, lastName })),
    ])
  })

  test('without persons has only the header row', async () => {
    const { main, database } = await serviceOfTest()
    await database.run('DELETE FROM persons')
    expect(rowsOf((await send(main, withHeaders('GET /persons', asHtml))).text)).toEqual([header])
    expect(comparable(await send(main, 'GET /persons'))).toEqual(json([], varied))
  })
})
