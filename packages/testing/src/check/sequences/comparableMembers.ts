/**
 * Which members of a response can be compared with what is known of an item. A response may hide a member: a list is often a summary, and a
 * key is shown once. Such a member is absent or empty in every response of the endpoint, and proves nothing.
 */
import type { EndpointUnderTest } from '../rule.ts'
import { hasContent, type Members } from './jsonValues.ts'

/** The members that the endpoints of a family have shown in a check. */
export class ComparableMembers {
  readonly #shown = new Map<EndpointUnderTest, Set<string>>()

  /**
   * Selects the names whose values in a response can be compared. A member has to be there if the schema requires it, and counts after the
   * endpoint has shown a value of it once.
   *
   * @param required the members that the schema of the response requires
   */
  select(
    subject: EndpointUnderTest,
    required: ReadonlySet<string> | undefined,
    members: Members,
    names: Iterable<string>,
  ): readonly string[] {
    const shown = this.#shown.get(subject) ?? new Set()
    this.#shown.set(subject, shown)
    return [...names].filter((name) => {
      if (hasContent(members[name])) shown.add(name)
      return shown.has(name) && (Object.hasOwn(members, name) || required?.has(name) === true)
    })
  }
}
