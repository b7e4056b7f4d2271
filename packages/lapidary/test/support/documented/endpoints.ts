/** The endpoints of an API, each with its section of the documentation. */
import { type AnyEndpoint, type Api, operations } from 'lapidary'
import { outline, type Section } from 'lapidary/docs'
import { describeEndpoint } from '../../../src/contract/download.ts'

export interface Documented {
  /** `GET /users/:id` */
  readonly route: string
  readonly endpoint: AnyEndpoint
  readonly section: Section
}

/** What an outline says of each endpoint; the outline has been through JSON, as one that is published has. */
export async function documentedEndpoints(api: Api): Promise<readonly Documented[]> {
  const { sections } = JSON.parse(JSON.stringify(await outline(api))) as Awaited<ReturnType<typeof outline>>
  return operations(api).flatMap(({ name, operation }) => {
    const section = sections.find((one) => one.name === name)
    if (section === undefined) throw new Error(`${name} has no section.`)
    return operation['~kind'] === 'mount' ? [] : [{ route: operation.route, endpoint: describeEndpoint(operation), section }]
  })
}

/** Every status that is documented for an endpoint, ascending. */
export const statusesOf = ({ responses, errors, builtInErrors: refusals }: Section): readonly number[] =>
  [...new Set([...responses, ...errors, ...refusals].map(({ status }) => status))].sort((one, other) => one - other)
