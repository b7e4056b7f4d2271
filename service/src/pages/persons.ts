/** The persons as a page: one table. */
import { type Html, htmlTemplate } from 'lapidary'

interface Person {
  readonly firstName: string
  readonly lastName: string
}

/** A table with a header row, `first name` and `last name`, and one row a person. */
export function personsPage(persons: readonly Person[]): Html {
  const rows = persons.map(
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
