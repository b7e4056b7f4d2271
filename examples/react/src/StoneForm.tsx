/** Renames a stone: the new name is shown at once, and taken back if another person was faster. */
import { mutationOptions, pathKey, queryKey, queryOptions } from '@lapidary/tanstack-query'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isHttpError } from 'lapidary/light'
import { call } from './client.ts'

export function StoneForm({ id }: { readonly id: number }) {
  const queryClient = useQueryClient()
  const params = { id }
  const stone = useQuery({ ...queryOptions(call.stones.one, { params }), staleTime: 60_000 })

  const rename = useMutation({
    ...mutationOptions(call.stones.rename),
    onMutate: async ({ body }) => {
      const key = queryKey(call.stones.one, { params })
      await queryClient.cancelQueries({ queryKey: key })
      const before = queryClient.getQueryData(key)
      queryClient.setQueryData(key, (now) => now && { ...now, body: { ...now.body, ...body } })
      return before
    },
    onError: (_error, _input, before) => queryClient.setQueryData(queryKey(call.stones.one, { params }), before),
    // The stone, and all lists of stones.
    onSettled: () => queryClient.invalidateQueries({ queryKey: pathKey(call.stones.list) }),
  })
  /** What another person does at the same time: this page does not know of it. */
  const renameElsewhere = async () => {
    const { body, headers } = await call.stones.one({ params })
    await call.stones.rename({ params, headers: { 'If-Match': headers.ETag }, body: { name: `${body.name.split(' (')[0]} (sold)` } })
  }

  if (stone.isPending) return <p className="form">Loading …</p>
  if (stone.isError) return <p role="alert">{stone.error.message}</p>
  const { body, headers } = stone.data
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault()
        const name = `${new FormData(event.currentTarget).get('name')}`
        rename.mutate({ params, headers: { 'If-Match': headers.ETag }, body: { name } })
      }}
    >
      <p>
        Its name is <strong>{body.name}</strong>.
      </p>
      <label>
        New name
        <input name="name" required maxLength={40} autoComplete="off" />
      </label>
      <div className="buttons">
        <button type="submit" disabled={rename.isPending}>
          Rename
        </button>
        <button type="button" className="quiet" onClick={renameElsewhere}>
          Rename elsewhere
        </button>
      </div>
      <p role="status">
        {rename.isSuccess && 'Renamed.'}
        {isHttpError(rename.error, 412)
          ? 'Another person has renamed this stone. Your change was taken back; here is its new name.'
          : rename.error?.message}
      </p>
    </form>
  )
}
