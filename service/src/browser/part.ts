/** A part of the page, by its id. */

/** @throws TypeError when the page has no such part, or one of another kind. */
export function part<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${kind.name} "${id}". Mend its markup, or its script.`)
}
