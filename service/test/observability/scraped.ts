/** A strict parser of metrics (https://prometheus.io/docs/instrumenting/exposition_formats/). */

type Labels = Readonly<Record<string, string>>

export interface Scraped {
  /** The value of the one sample with this name and these labels; undefined where there is none. */
  readonly value: (name: string, labels?: Labels) => number | undefined
  /** The labels of every sample with this name. */
  readonly labelsOf: (name: string) => readonly Labels[]
  /** The metrics by their names, with their types; histograms also as the samples that they are made of. */
  readonly types: ReadonlyMap<string, string>
}

const comment = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/
/** Prometheus reads numbers as Go does: `NaN` in any case. */
const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (Na[nN]|[+-]Inf|[-+0-9.e]+)$/
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\.)*)"(?:,|$)/gy

const key = (name: string, labels: Labels): string => JSON.stringify([name, Object.entries(labels).sort()])

function labelsIn(text: string): Labels {
  const found = [...text.matchAll(label)]
  if (found.map(([whole]) => whole).join('') !== text) throw new Error(`These are no labels: ${text}`)
  return Object.fromEntries(found.map(([, name = '', value = '']) => [name, value]))
}

/** Reads a whole exposition. Throws where a line is none, a sample has no type or help, or stands there twice. */
export function scraped(text: string): Scraped {
  const types = new Map<string, string>()
  const helped = new Set<string>()
  const samples = new Map<string, { readonly name: string; readonly labels: Labels; readonly value: number }>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const [, what, about = '', rest = ''] = comment.exec(line) ?? []
    if (what === 'HELP') helped.add(about)
    if (what === 'TYPE')
      for (const suffix of rest === 'histogram' ? ['', '_bucket', '_sum', '_count'] : ['']) types.set(`${about}${suffix}`, rest)
    if (what !== undefined) continue
    const [whole, name = '', labelled = '', value] = sample.exec(line) ?? []
    if (whole === undefined) throw new Error(`This is no sample: ${line}`)
    if (!types.has(name) || !helped.has(name.replace(/_(bucket|sum|count)$/, ''))) throw new Error(`No HELP and TYPE for: ${line}`)
    const labels = labelsIn(labelled)
    if (samples.has(key(name, labels))) throw new Error(`This stands there twice: ${line}`)
    samples.set(key(name, labels), { name, labels, value: Number(value) })
  }
  return {
    value: (name, labels = {}) => samples.get(key(name, labels))?.value,
    labelsOf: (name) => [...samples.values()].filter((one) => one.name === name).map(({ labels }) => labels),
    types,
  }
}
