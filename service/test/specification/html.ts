/** A strict parser of HTML in which every tag is closed. Anything that a browser would have to repair is an error. */

export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: (Element | string)[]
}

const empty = new Set(['meta', 'link', 'br', 'hr', 'img', 'input'])
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

function decoded(text: string): string {
  if (/[<>]/.test(text)) throw new Error(`A bare angle bracket: ${text}`)
  return text.replace(/&([^;]{0,8});?/g, (entity, name: string) => {
    const sign = entities[name]
    if (sign === undefined || !entity.endsWith(';')) throw new Error(`A bare ampersand: ${text}`)
    return sign
  })
}

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decoded(value)]))

/** The document behind its doctype. Throws for tags that do not match and for signs that are not escaped. */
export function parsedHtml(page: string): Element {
  const [doctype = ''] = /^<!doctype html>\n?/i.exec(page) ?? []
  if (doctype === '') throw new Error('There is no doctype.')
  const root: Element = { tag: 'document', attributes: {}, children: [] }
  const open = [root]
  for (const [, closing, tag, attributes = '', text] of page
    .slice(doctype.length)
    .matchAll(/<(\/?)([a-z][a-z0-9]*)((?: [a-z-]+="[^"]*")*)>|([^<]+|<)/g)) {
    const here = open.at(-1) ?? root
    if (tag === undefined) here.children.push(decoded(text ?? ''))
    else if (closing === '/') {
      if (open.length < 2 || open.pop()?.tag !== tag) throw new Error(`</${tag}> closes nothing.`)
    } else {
      const element: Element = { tag, attributes: attributesOf(attributes), children: [] }
      here.children.push(element)
      if (!empty.has(tag)) open.push(element)
    }
  }
  if (open.length > 1) throw new Error(`<${open.at(-1)?.tag}> is never closed.`)
  return root
}

/** Every element of this name below another one, in the order of the document. */
export const elements = (root: Element, tag: string): Element[] =>
  root.children.flatMap((child) => (typeof child === 'string' ? [] : [...(child.tag === tag ? [child] : []), ...elements(child, tag)]))

/** All the text of an element. */
export const textOf = (element: Element): string =>
  element.children.map((child) => (typeof child === 'string' ? child : textOf(child))).join('')
