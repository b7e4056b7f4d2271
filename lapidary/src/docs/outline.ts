/** `outline(api)`: everything that documentation says of an API, as plain data. */
import { type Api, operations } from '../describe/api.ts'
import { createErrorExamples, type ErrorExample } from './refused.ts'
import { documentOperation, type Section } from './section.ts'

/** Some words before the endpoints. */
export interface Introduction {
  title: string
  paragraphs: string[]
}

/** The documentation of an API, before it is printed. Plain data, all of it JSON, and yours: change what you like. */
export interface Outline {
  /** Empty where there is none. */
  title: string
  introductions: Introduction[]
  /** What an error looks like; null where no endpoint can show it. */
  errorExample: ErrorExample | null
  sections: Section[]
}

/** What stands before the endpoints. */
export interface OutlineOptions {
  /** The title of the whole. Default: none. */
  readonly title?: string
  /** Default: none. */
  readonly intros?: readonly { readonly title: string; readonly paragraphs: readonly string[] }[]
}

/**
 * The outline of an API: the introductions, then one section for each endpoint and mount, in the order of declaration.
 * Example bodies are written by the endpoint's own encoders, from its `examples` or, without them, from a value made of the schema.
 *
 * @throws TypeError, one sentence with its cure, when an example does not fit its description.
 */
export async function outline(api: Api, { title = '', intros = [] }: OutlineOptions = {}): Promise<Outline> {
  const walked = await Promise.all(operations(api).map(async (one) => ({ ...one, section: await documentOperation(one) })))
  const [refused = null] = walked.flatMap(({ operation, section }) =>
    operation['~kind'] === 'mount' ? [] : createErrorExamples(operation, section),
  )
  return {
    title,
    introductions: intros.map((intro) => ({ title: intro.title, paragraphs: [...intro.paragraphs] })),
    errorExample: refused,
    sections: walked.map(({ section }) => section),
  }
}
