/** Entity tags, and the conditions that name them (RFC 9110 §8.8.3, §13). */
import { withHeaderLines, withoutConditions } from '../exchange.js'
import { withCurrentBody } from './changes.js'
import { canReachHandler } from './status.js'

const strongETagPattern = /^"[\x21\x23-\x7e\x80-\xff]*"$/
const otherETag = '"no-such-tag"'
/** On this condition, and no other. */
const withCondition = (asked, name, tag) => withHeaderLines(withoutConditions(asked), name, tag)
/** A request that finds something: what is known to be there first. */
async function findTaggedRequest({ subject, sampleCalls: calls, listKnownCaptures: known, buildRequest: request, send: ask }) {
  const [plain] = calls(1)
  if (plain === undefined) return undefined
  for (const captures of [...known(subject).slice(0, 3), plain.captures]) {
    const asked = withoutConditions(await request({ ...plain, captures }))
    const answered = await ask(asked, 'valid')
    if (answered.status === subject.endpoint.response.status) return [asked, answered.header('etag')]
  }
  return undefined
}
export const tagsRule = {
  name: 'tags',
  description: 'An answer with a tag is not sent again to who has it (304), and to nobody who asks for another (412).',
  appliesTo: (probing) => canReachHandler(probing) && probing.subject.endpoint.etag === true,
  probe: async (probing) => {
    const { send: ask, fail: complain } = probing
    const [asked, tag] = (await findTaggedRequest(probing)) ?? []
    if (asked === undefined) return
    if (tag === undefined || !strongETagPattern.test(tag)) complain(`expected a strong ETag, got ${tag ?? 'none'}`)
    const expected = async (name, value, status) => {
      const answered = await ask(withCondition(asked, name, value), 'valid')
      if (answered.status !== status) complain(`${name} is ${value}: expected ${status}, got ${answered.status}`)
      if (status === 304 && answered.header('etag') !== tag)
        complain(`expected the 304 to have ETag ${tag}, got ${answered.header('etag') ?? 'none'}`)
    }
    const { status } = probing.subject.endpoint.response
    await expected('If-None-Match', tag ?? '', 304)
    await expected('If-None-Match', `${otherETag}, W/${tag}`, 304)
    await expected('If-None-Match', '*', 304)
    await expected('If-None-Match', otherETag, status)
    await expected('If-Match', tag ?? '', status)
    await expected('If-Match', otherETag, 412)
  },
}
export const lostUpdatesRule = {
  name: 'lost-updates',
  description: 'No change is made to what is not what the request names: 412; where a condition is required, 428 without one.',
  appliesTo: (probing) => canReachHandler(probing) && typeof probing.subject.endpoint.etag === 'string' && probing.siblings.has('GET'),
  probe: async (probing) => {
    const { subject, siblings, sampleCalls: calls, listKnownCaptures: known, buildRequest: request, send: ask, fail: complain } = probing
    const at = siblings.get('GET')
    const [call] = calls(1)
    const [captures] = at === undefined ? [] : known(at)
    const [look] = at === undefined ? [] : calls(1, at)
    if (at === undefined || call === undefined || captures === undefined || look === undefined) return
    const see = withoutConditions(await request({ ...look, captures }, at))
    const before = await ask(see, 'valid', at)
    if (before.status !== at.endpoint.response.status) return
    const asked = await request(await withCurrentBody({ ...call, captures: { ...call.captures, ...captures } }, subject, at, before))
    const refused = await ask(withCondition(asked, 'If-Match', otherETag), 'valid')
    if (refused.status !== 412) complain(`If-Match is ${otherETag}: expected 412, got ${refused.status}`)
    if (subject.endpoint.etag === 'required') {
      const bare = await ask(withoutConditions(asked), 'refused')
      if (bare.status !== 428) complain(`there is no If-Match: expected 428, got ${bare.status}`)
    }
    const after = await ask(see, 'valid', at)
    if (Buffer.compare(before.body, after.body) !== 0) complain('a change that was refused has been made')
  },
}
