/** The start page: an introduction, links, and the colours. */
import { type Html, htmlTemplate } from 'lapidary'
import { assetsPath } from '../api/pages.ts'
import { renderPage } from './layout.ts'

/** The URLs in the start page. */
export interface StartLinks {
  readonly docs: string
  readonly openapi: string
  readonly persons: string
  readonly ready: string
  readonly colors: string
}

const linkItem = (
  url: string,
  name: string,
  description: string,
): Html => htmlTemplate`<li><a href="${url}">${name}</a> <span>${description}</span></li>
`

export function startPage({ docs, openapi, persons, ready, colors }: StartLinks): Html {
  return renderPage({
    name: 'start',
    title: 'Lapidary: the example service',
    description: 'A web service that is described once, as plain typed values.',
    content: htmlTemplate`<header>
<p class="name"><img src="${assetsPath}/icon.svg" alt="" width="28" height="28"> Lapidary</p>
<h1>One description, many facets.</h1>
<p class="lead">This web service is described once, as plain typed values. The server that answers, the documentation, and the client with
which this page reads the colours below are all cut from that one stone.</p>
<nav aria-label="This service">
<ul role="list">
${[
  linkItem(docs, 'Documentation', 'Read about every endpoint, and try it.'),
  linkItem(openapi, 'OpenAPI', 'The same description, for machines.'),
  linkItem(persons, 'Persons', 'JSON for programs, a table for you.'),
  linkItem(ready, 'Health', 'Whether the service can answer.'),
]}</ul>
</nav>
</header>
<main>
<h2 id="colors-title">Colours, a page at a time</h2>
<p>A client asks for a page with the header <code>Range</code>. The answer names the range of the next one, so that no client has to count.</p>
<noscript><p class="notice">Without JavaScript this page cannot ask for them. <a href="${colors}">The first page of colours</a> can be read as JSON.</p></noscript>
<div class="talk">
<form id="order" aria-label="Order of the colours">
<p><label for="by">Order by</label>
<select id="by" name="by">
<option value="name">name</option>
<option value="hex">hex</option>
<option value="rgb">sum of rgb</option>
</select></p>
<p><label for="direction">Direction</label>
<select id="direction" name="order">
<option value="asc">ascending</option>
<option value="desc">descending</option>
</select></p>
</form>
<dl class="wire" aria-label="What was asked and answered">
<div><dt>Range</dt> <dd id="asked"></dd></div>
<div><dt>Next-Range</dt> <dd id="answered"></dd></div>
</dl>
</div>
<p id="status" role="status"></p>
<ul id="colors" class="stones" role="list" aria-labelledby="colors-title"></ul>
<div id="failure" role="alert" hidden=""><p id="reason"></p><button id="again" type="button">Try again</button></div>
<p><button id="more" type="button" hidden="">More</button></p>
</main>
`,
  })
}
