/** The frame of a page: its head, with the stylesheet and the script of the page's own name. */
import { type Html, htmlTemplate } from 'lapidary'

/** Where everything stands that a page loads. */
export const assets = '/assets'

export interface Page {
  /** That of its stylesheet and of its script. */
  readonly name: 'start' | 'docs'
  readonly title: string
  /** One sentence, for those who list pages. */
  readonly description: string
  /** What stands in its body. */
  readonly content: Html
}

export function page({ name, title, description, content }: Page): Html {
  return htmlTemplate`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${assets}/icon.svg">
<link rel="stylesheet" href="${assets}/${name}.css">
<script type="module" src="${assets}/${name}.js"></script>
</head>
<body>
${content}</body>
</html>
`
}
