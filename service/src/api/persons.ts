/** The persons, as JSON or as an HTML table. */
import { content, endpoint, type Html, html, htmlTemplate, json, list, ok } from 'lapidary'
import { unavailable } from './errors.ts'
import { Person } from './schemas.ts'

const examplePersons: readonly Person[] = [
  { firstName: 'Isaac', lastName: 'Newton' },
  { firstName: 'Albert', lastName: 'Einstein' },
]

/** The HTML form of the specification: a header row, then one row for each person. */
function renderPersons(items: readonly Person[]): Html {
  const rows = items.map(
    ({ firstName, lastName }) => htmlTemplate`<tr><td>${firstName}</td><td>${lastName}</td></tr>
`,
  )
  return htmlTemplate`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Persons</title></head>
<body>
<table>
<tr><th>first name</th><th>last name</th></tr>
${rows}</table>
</body>
</html>
`
}

export const persons = endpoint('GET /persons', {
  summary: 'All persons, as JSON or as an HTML table.',
  response: ok(content(list(Person), json, html(renderPersons))),
  // The table loads nothing. Escaping protects it, and the policy is a second defence.
  responseHeaders: { 'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'" },
  errors: [unavailable],
  examples: { response: examplePersons },
})
