/** Identifiers of a document, in the form that code generators expect. */

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `NotFound` for `Not Found`. */
export const toPascalCase = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map(capitalize)
    .join('')

/** `usersListAll` for `users.list-all`. */
export function toCamelCase(text: string): string {
  const joined = toPascalCase(text)
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}

/** The names that OpenAPI allows for components. */
const componentPattern = /^[A-Za-z0-9._-]+$/

/** The text, or the nearest one that is allowed. */
export const toComponentName = (text: string, otherwise: string): string =>
  componentPattern.test(text) ? text : toPascalCase(text) || otherwise

/** The name, or the name with the first free number from 2. */
export function findFreeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name
  for (let number = 2; isTaken(free); number += 1) free = `${name}${number}`
  return free
}

/** Components with unique names. */
export interface NamedComponents<Component> {
  /** Returns the name of a component: the wanted one, unless another component has it. Equal components share a name. */
  readonly nameOf: (wanted: string, component: Component) => string
  readonly components: Record<string, Component>
}

export function createNamedComponents<Component>(): NamedComponents<Component> {
  const names = new Map<string, string>()
  const components: Record<string, Component> = {}
  return {
    nameOf: (wanted, component) => {
      // Different components can want the same name, and equal ones different names.
      const key = JSON.stringify([wanted, component])
      const name = names.get(key) ?? findFreeName(wanted, (taken) => Object.hasOwn(components, taken))
      names.set(key, name)
      components[name] = component
      return name
    },
    components,
  }
}
