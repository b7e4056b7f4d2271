/** Prices while they change: server-sent events, which go on after a connection was cut off. */
import { streamedQueryOptions } from '@lapidary/tanstack-query'
import { useQuery } from '@tanstack/react-query'
import { resume } from 'lapidary/light'
import { call } from './client.ts'

type Price = { readonly key: string; readonly id: number; readonly euros: number }

const lastPrices = streamedQueryOptions(
  call.prices,
  {},
  {
    resume,
    initial: [] as readonly Price[],
    reduce: (prices, { id = '', data }) => [{ key: id, ...data }, ...prices].slice(0, 5),
  },
)

export function LivePrices() {
  const { data = [], error, fetchStatus } = useQuery(lastPrices)
  return (
    <section aria-labelledby="prices">
      <h2 id="prices">
        Live prices <span className={fetchStatus === 'fetching' ? 'dot on' : 'dot'} aria-hidden="true" />
      </h2>
      {error && <p role="alert">{error.message}</p>}
      <ol className="prices">
        {data.map(({ key, id, euros }) => (
          <li key={key}>
            <span>Stone {id}</span> <strong>€ {euros}</strong>
          </li>
        ))}
      </ol>
    </section>
  )
}
