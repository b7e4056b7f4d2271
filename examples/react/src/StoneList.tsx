/** The stones, a page at a time, and the one that is open. */
import { infiniteQueryOptions, listItems } from '@lapidary/tanstack-query'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from './client.ts'
import { StoneForm } from './StoneForm.tsx'

export function StoneList() {
  const [openId, setOpenId] = useState<number>()
  const stones = useInfiniteQuery({ ...infiniteQueryOptions(call.stones.list, { query: { limit: 6 } }), select: listItems })

  return (
    <section aria-labelledby="stones">
      <h2 id="stones">Stones</h2>
      {stones.isPending && <p>Loading …</p>}
      {stones.isError && <p role="alert">{stones.error.message}</p>}
      <ul className="stones">
        {stones.data?.map(({ id, name, carat, color }) => (
          <li key={id}>
            <button type="button" className="stone" aria-expanded={id === openId} onClick={() => setOpenId(id === openId ? undefined : id)}>
              <svg viewBox="0 0 16 16" aria-hidden="true" fill={color}>
                <path d="M4 2h8l3 4-7 8-7-8z" />
                <path d="M4 2h8l3 4H1z" fill="#fff" opacity=".35" />
              </svg>
              <span>{name}</span>
              <small>{carat.toFixed(1)} ct</small>
            </button>
            {id === openId && <StoneForm id={id} />}
          </li>
        ))}
      </ul>
      {stones.hasNextPage && (
        <button type="button" className="more" disabled={stones.isFetchingNextPage} onClick={() => stones.fetchNextPage()}>
          {stones.isFetchingNextPage ? 'Loading …' : 'More stones'}
        </button>
      )}
    </section>
  )
}
