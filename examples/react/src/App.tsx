/** The page: stones, an upload, and live prices. */
import { LivePrices } from './LivePrices.tsx'
import { PhotoUpload } from './PhotoUpload.tsx'
import { StoneList } from './StoneList.tsx'

export function App({ isMocked }: { readonly isMocked: boolean }) {
  return (
    <>
      <header>
        <h1>The gem desk</h1>
        <p>{isMocked ? 'Without a network: the API runs in this page.' : 'Twenty stones, their names and their prices.'}</p>
      </header>
      <main>
        <StoneList />
        <div className="side">
          <LivePrices />
          <PhotoUpload />
        </div>
      </main>
    </>
  )
}
