/** Sends a photo, and shows how much of it has been sent. */
import { mutationOptions } from '@lapidary/tanstack-query'
import { useMutation } from '@tanstack/react-query'
import { trackUpload } from 'lapidary/light'
import { useState } from 'react'
import { call } from './client.ts'

export function PhotoUpload() {
  const [share, setShare] = useState(0)
  const fetch = trackUpload(({ loaded, total = loaded }) => setShare(loaded / total))
  const upload = useMutation(mutationOptions(call.photo, { fetch }))

  return (
    <section aria-labelledby="photo">
      <h2 id="photo">A photo</h2>
      <label className="file">
        Choose a photo
        <input
          type="file"
          accept="image/*"
          onChange={({ target }) => {
            const [photo] = target.files ?? []
            if (photo === undefined) return
            setShare(0)
            upload.mutate({ body: { photo } })
            target.value = ''
          }}
        />
      </label>
      {!upload.isIdle && <progress aria-label="Sent" value={upload.isSuccess ? 1 : share} />}
      <p role="status">
        {upload.isPending && `${Math.round(share * 100)} % sent`}
        {upload.isSuccess && `The server has ${upload.data.name}: ${upload.data.bytes.toLocaleString('en')} bytes.`}
        {upload.error?.message}
      </p>
    </section>
  )
}
