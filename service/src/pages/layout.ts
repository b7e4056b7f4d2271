/** The layout of the HTML pages. */
import { type Html, htmlTemplate } from 'lapidary'
import { assetsPath } from '../api/pages.ts'

export interface LayoutOptions {
  /** The name of the stylesheet and of the script. */
  readonly name: 'start' | 'docs'
  readonly title: string
  /** One sentence for search engines. */
  readonly description: string
  /** The body. */
  readonly content: Html
}

/** A complete HTML page. */
export function renderPage({ name, title, description, content }: LayoutOptions): Html {
  return htmlTemplate`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" href="${assetsPath}/icon.svg">
<link rel="stylesheet" href="${assetsPath}/${name}.css">
<script type="module" src="${assetsPath}/${name}.js"></script>
</head>
<body>
${content}</body>
</html>
`
}
