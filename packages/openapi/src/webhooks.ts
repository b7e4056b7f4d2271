/** The webhooks of a document as plans: requests that the server sends. */
import type { BodyPlan } from './bodies.ts'
import { toKey } from './names.ts'
import { listOperations, type PartReaders } from './operations.ts'

/** A webhook. */
export interface WebhookPlan {
  readonly pointer: string
  readonly keys: readonly string[]
  /** The name that receivers know. */
  readonly name: string
  readonly body: BodyPlan
  readonly isDeprecated: boolean
  readonly tags: readonly string[] | undefined
  readonly summary: string | undefined
  readonly description: string | undefined
}

/** The names that webhooks can have. */
const namePattern = /^[\w-]+(?:\.[\w-]+)*$/

/** Bodies that are sent as a whole. */
const sentKinds: ReadonlySet<string> = new Set(['json', 'form', 'text', 'bytes'])

/** Plans the webhooks of one document; those of 3.0 stand in `x-webhooks`. @param group the key of the record that has them */
export function planWebhooks({ reader, bodies }: PartReaders, group: string): readonly WebhookPlan[] {
  const keys = new Set<string>()
  return ['webhooks', 'x-webhooks'].flatMap((member) => {
    const all = reader.object({ value: reader.root, pointer: '' }, member)
    return reader.objects(all).flatMap(([name, pathItem]) => {
      return listOperations(reader, pathItem).flatMap(({ method, operation }): readonly WebhookPlan[] => {
        const { pointer, value } = operation
        const leaveOut = (reason: string): readonly WebhookPlan[] => {
          reader.limits.add('webhook', pointer, `${reason} It is left out.`)
          return []
        }
        if (method !== 'POST') return leaveOut(`A webhook is a POST, and not a ${method}.`)
        if (!namePattern.test(name))
          return leaveOut(`The name of a webhook has words, and full stops between them: ${JSON.stringify(name)} has more.`)
        const request = reader.object(operation, 'requestBody') ?? { value: {}, pointer }
        const body = bodies.plan(reader.object(request, 'content'), 'request')
        if (body === undefined) return leaveOut('A webhook has a body.')
        if (!body.media.every(({ kind }) => sentKinds.has(kind))) return leaveOut('The body of a webhook is sent as a whole.')
        if (request.value['required'] !== true)
          reader.limits.add('webhook', request.pointer, 'A webhook always has a body. That of the document is read as required.')
        if (reader.object(operation, 'responses')?.value['2XX'] === undefined)
          reader.limits.add(
            'webhook',
            `${pointer}/responses`,
            'A webhook has arrived with any 2xx. What the document says of other statuses is left out.',
          )
        let key = toKey(name)
        for (let number = 2; keys.has(key); number += 1) key = `${toKey(name)}${number}`
        keys.add(key)
        const tags = reader.texts(operation, 'tags')
        return [
          {
            pointer,
            keys: [group, key],
            name,
            body,
            isDeprecated: value['deprecated'] === true,
            tags: tags.length > 0 ? tags : undefined,
            summary: reader.text(operation, 'summary'),
            description: reader.text(operation, 'description'),
          },
        ]
      })
    })
  })
}
