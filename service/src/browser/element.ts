/** Finds elements of the page. */

/** Returns the element with this id. Throws a TypeError if there is none, or one of another type. */
export function elementById<Type extends HTMLElement>(id: string, type: new () => Type): Type {
  const element = document.getElementById(id)
  if (element instanceof type) return element
  throw new TypeError(`The page has no ${type.name} "${id}". Mend its markup, or its script.`)
}
