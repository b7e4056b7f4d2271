/**
 * The model of one item: what the responses so far have shown of it, and what the next response therefore has to show. Members that the
 * server sets are learned from the first response that has them.
 */
import type { Expectation, SequenceFinding } from './finding.ts'
import type { ItemFamily } from './itemFamily.ts'
import { formatValue, hasContent, isExtended, isSameValue, isStoredAs, type Members } from './jsonValues.ts'
import * as messages from './messages.ts'
import { newEtagsRule, readWritesRule, sameEtagsRule, unchangedItemsRule } from './rules.ts'

/** A member that was written, and not yet shown. */
interface PendingMember {
  readonly sent: unknown
  /** The values before the writes since it was shown. */
  readonly before: readonly unknown[]
  /** The request that sent it: `PUT /stones/1`. */
  readonly label: string
}

/** Whether a value is one that the writes since have replaced. */
const isOldValue = ({ before }: PendingMember, value: unknown): boolean => before.some((one) => isSameValue(one, value))

/** Whether a value shows what was written. */
const showsPending = (pending: PendingMember, value: unknown): boolean =>
  isStoredAs(pending.sent, value) || (!isOldValue(pending, value) && isExtended(pending.sent, value))

/** Whether an item exists. `unknown`: a request had no clear outcome, so nothing is expected of the item. */
type Existence = 'present' | 'absent' | 'unknown'

/** A representation that a GET has shown. */
interface Representation {
  readonly etag: string | undefined
  readonly body: string
  readonly members: Members
}

const expectMember = (name: string, value: unknown, isEqual = true): Expectation => ({ kind: 'member', name, value, isEqual })

/** What identifies an item: a member, and its text in the path. */
interface ItemIdentity {
  readonly member: string
  readonly text: string
}

/** The state of one item. */
export class ItemState {
  readonly #family: Pick<ItemFamily, 'writable' | 'choices'>
  readonly volatile: ReadonlySet<string>
  existence: Existence = 'present'
  /** Whether the member of its identifier is that of its path: a server may keep another one that it was sent. */
  isIdentified: boolean
  /** Whether a list has shown the item since its last change. */
  isListed = false
  /** The values of members that a response has shown, and that no request has changed since. */
  readonly #known = new Map<string, unknown>()
  readonly #pending = new Map<string, PendingMember>()
  /** Members that a PATCH did not name: the server may derive them anew, but not drop them. */
  readonly #kept = new Set<string>()
  /** Members that a GET has shown, and that no change of a choice since could have hidden. */
  readonly #shown = new Set<string>()
  /** The last representation of the current state; `undefined` after a change. */
  #current: Representation | undefined
  readonly #earlier: Representation[] = []
  /** The last request about the item that the server refused. */
  #refused: { readonly label: string; readonly members: Members } | undefined
  #source = ''

  readonly #identity: ItemIdentity

  /** @param sent what the request that creates the item has sent */
  constructor(
    family: Pick<ItemFamily, 'writable' | 'choices'>,
    volatile: ReadonlySet<string>,
    identity: ItemIdentity,
    sent: Members | undefined,
  ) {
    this.#family = family
    this.volatile = volatile
    this.#identity = identity
    const id = sent?.[identity.member]
    this.isIdentified = id === undefined || String(id) === identity.text
  }

  /** The ETag of the current state, if a GET has shown it. */
  get etag(): string | undefined {
    return this.#current?.etag
  }

  /** The ETag of an earlier state that differs from the current one. */
  get earlierEtag(): string | undefined {
    const current = this.#current
    return current === undefined ? undefined : this.#earlier.findLast(({ etag }) => etag !== undefined && etag !== current.etag)?.etag
  }

  /** Whether the body of the current state is known. */
  get isRead(): boolean {
    return this.#current !== undefined
  }

  /** The value that a response has to show for a member; `undefined` if nothing is known of it. */
  expected(name: string): { readonly value: unknown } | undefined {
    const pending = this.#pending.get(name)
    if (pending !== undefined) return { value: pending.sent }
    return this.#known.has(name) ? { value: this.#known.get(name) } : undefined
  }

  /** Whether the entry of a list shows a member as it is known, or as it was written. */
  isShownBy(name: string, value: unknown): boolean {
    const pending = this.#pending.get(name)
    if (pending !== undefined) return showsPending(pending, value)
    // The server may derive it anew.
    if (this.#kept.has(name) && value !== undefined && value !== null) return true
    return this.volatile.has(name) || !this.#known.has(name) || isStoredAs(this.#known.get(name), value)
  }

  /** Records a change that the server accepted; `undefined`: what it writes is not known. */
  write(label: string, members: Members | undefined, isWhole: boolean): void {
    const { writable, choices } = this.#family
    this.#refused = undefined
    this.#supersede()
    this.#kept.clear()
    const before = new Map(this.#known)
    const isSameChoice = ([name, sent]: readonly [string, unknown]): boolean =>
      !choices.has(name) || (before.has(name) && isSameValue(before.get(name), sent))
    if (isWhole || members === undefined || !Object.entries(members).every(isSameChoice)) this.#shown.clear()
    for (const name of this.#known.keys()) {
      const isNamed = members !== undefined && Object.hasOwn(members, name)
      const isKept = !isWhole && members !== undefined && writable.has(name)
      if (isKept && !isNamed) this.#kept.add(name)
      else this.#known.delete(name)
    }
    if (members === undefined || isWhole)
      for (const name of this.#pending.keys()) if (members === undefined || !Object.hasOwn(members, name)) this.#pending.delete(name)
    for (const [name, sent] of Object.entries(members ?? {})) {
      if (!writable.has(name)) continue
      // A merge patch removes a member by null, and the server may then have a default.
      if (sent === null && !isWhole) {
        this.#pending.delete(name)
        continue
      }
      const earlier = this.#pending.get(name)
      const known = before.has(name) ? [before.get(name)] : []
      this.#pending.set(name, { sent, before: [...known, ...(earlier === undefined ? [] : [earlier.sent, ...earlier.before])], label })
    }
  }

  /** Records a change that the server refused. */
  refuse(label: string, members: Members | undefined): void {
    this.#refused = { label, members: members ?? {} }
  }

  /** Forgets everything but the existence. */
  forget(): void {
    this.#supersede()
    this.#known.clear()
    this.#pending.clear()
    this.#shown.clear()
  }

  #supersede(): void {
    this.isListed = false
    if (this.#current !== undefined) this.#earlier.push(this.#current)
    this.#current = undefined
  }

  #judgePending(name: string, pending: PendingMember, value: unknown): SequenceFinding | undefined {
    if (showsPending(pending, value)) return undefined
    const { sent, label } = pending
    const isOld = isOldValue(pending, value)
    return {
      rule: readWritesRule,
      message: messages.writeNotShown(name, formatValue(sent), formatValue(value), label, isOld),
      expectation: isOld ? expectMember(name, value, false) : expectMember(name, sent),
    }
  }

  #judgeKnown(name: string, value: unknown): SequenceFinding | undefined {
    const known = this.#known.get(name)
    if (this.volatile.has(name) || isSameValue(known, value)) return undefined
    if (this.#kept.has(name) && value !== undefined && value !== null) return undefined
    const refused = this.#refused
    const isRefused = refused !== undefined && isSameValue(refused.members[name], value)
    const words = [name, formatValue(known), this.#source, formatValue(value)] as const
    const message = this.#kept.has(name)
      ? messages.memberNotKept(...words)
      : isRefused
        ? messages.memberOfRefused(...words, refused.label)
        : messages.memberChanged(...words)
    return {
      rule: unchangedItemsRule,
      message,
      expectation: expectMember(name, known),
    }
  }

  /**
   * Judges the members that a response shows, and learns them.
   *
   * @param names the members that the response has to show; a member that is not there is absent
   * @param source the request of the response
   * @param isRead whether the response is that of a GET: the response to a change may only repeat what it was sent
   */
  show(members: Members, names: Iterable<string>, source: string, isRead: boolean): SequenceFinding | undefined {
    for (const name of names) {
      const value = members[name]
      const pending = this.#pending.get(name)
      const finding =
        pending !== undefined ? this.#judgePending(name, pending, value) : this.#known.has(name) && this.#judgeKnown(name, value)
      if (finding) return finding
    }
    for (const name of names) {
      this.#known.set(name, members[name])
      if (isRead) this.#pending.delete(name)
      if (isRead) this.#kept.delete(name)
      if (isRead && hasContent(members[name])) this.#shown.add(name)
    }
    this.#source = source
    const { member, text } = this.#identity
    if (Object.hasOwn(members, member)) this.isIdentified = String(members[member]) === text
    return undefined
  }

  /**
   * Lists optional members that a GET has to show nevertheless: it has shown them, and a PATCH since names none of them, and changes no
   * choice.
   */
  listKept(): readonly string[] {
    return [...this.#kept].filter((name) => this.#shown.has(name))
  }

  /** The names that a complete representation has to show. */
  listNames(members: Members): readonly string[] {
    return [...new Set([...Object.keys(members), ...this.#known.keys(), ...this.#pending.keys()])]
  }

  /** Judges the ETag of a GET that has shown the whole item, and learns it. */
  showEtag(etag: string | undefined, body: string, members: Members): SequenceFinding | undefined {
    const previous = this.#current
    this.#current = { etag, body, members }
    if (etag === undefined) return undefined
    if (previous !== undefined && previous.etag !== etag && previous.body === body)
      return {
        rule: sameEtagsRule,
        message: messages.etagChanged(previous.etag ?? 'none', etag),
        expectation: previous.etag === undefined ? undefined : { kind: 'header', name: 'ETag', value: previous.etag, isEqual: true },
      }
    const isChanged = (other: Representation): boolean =>
      [...this.#family.writable].some((name) => !isSameValue(other.members[name], members[name]))
    const same = [...this.#earlier, ...(previous === undefined ? [] : [previous])].find((one) => one.etag === etag && isChanged(one))
    if (same === undefined) return undefined
    return {
      rule: newEtagsRule,
      message: messages.etagReused(etag, formatValue(same.members), formatValue(members)),
      expectation: { kind: 'header', name: 'ETag', value: etag, isEqual: false },
    }
  }
}
