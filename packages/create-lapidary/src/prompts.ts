/** The prompts: for each choice that the command line does not make. */
import type { Readable, Writable } from 'node:stream'
import { cancel, confirm, isCancel, multiselect, select, text } from '@clack/prompts'
import { type Extra, extras, findRefusal, type Host, hosts, type SchemaLibrary, schemaLibraries } from './choices.ts'

/** What a project is made by. */
export interface Choices {
  readonly folder: string
  readonly schema: SchemaLibrary
  readonly host: Host
  readonly extras: readonly Extra[]
  readonly install: boolean
}

/** What the command line says. There is a prompt for each that is undefined. */
export type GivenChoices = { readonly [Name in keyof Choices]: Choices[Name] | undefined }

/** The user has left a prompt. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError'
}

/** @throws CancelledError where the user leaves */
export async function promptChoices(
  given: GivenChoices,
  defaults: Choices,
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<Choices> {
  async function settle<Value>(prompt: Promise<Value>): Promise<Exclude<Value, symbol>> {
    const value = await prompt
    if (!isCancel(value)) return value as Exclude<Value, symbol>
    cancel('Nothing was made.', streams)
    throw new CancelledError()
  }
  const promptFolder = () => settle(text({ message: 'Folder', placeholder: defaults.folder, defaultValue: defaults.folder, ...streams }))
  const promptSchema = () =>
    settle(select<SchemaLibrary>({ message: 'Schema library', options: [...schemaLibraries], initialValue: defaults.schema, ...streams }))
  const promptHost = () => settle(select<Host>({ message: 'Host', options: [...hosts], initialValue: defaults.host, ...streams }))
  const promptExtras = (host: Host) => {
    const options = extras.filter(({ value }) => findRefusal(host, value) === undefined)
    return settle(multiselect<Extra>({ message: 'Extras: space selects, enter goes on', options, required: false, ...streams }))
  }
  const promptInstall = () => settle(confirm({ message: 'Install the packages now?', initialValue: defaults.install, ...streams }))

  const folder = given.folder ?? (await promptFolder())
  const schema = given.schema ?? (await promptSchema())
  const host = given.host ?? (await promptHost())
  return { folder, schema, host, extras: given.extras ?? (await promptExtras(host)), install: given.install ?? (await promptInstall()) }
}
