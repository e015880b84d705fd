import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfDesign } from '../../address.ts'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import { Linked } from '../../components/linked.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import './architecture.css'

const texts = messages.architecture

/** How many designs are shown at once. */
const max = 100

/** The designs of a board, whichever record they belong to. */
export default function ArchitecturePage({ board }: BoardPageProps) {
  const [search, set] = useAddressFilters()
  const q = search.get('q') ?? ''
  const { data, error } = useQuery({
    queryKey: keys.list(board.id, 'architecture_design', { q }),
    queryFn: async () =>
      (await client.searchRecords({ q, board_id: board.id, kind: 'architecture', limit: max })).items,
    placeholderData: before => before,
  })
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      <input
        className="input"
        type="search"
        aria-label={texts.find}
        placeholder={texts.find}
        value={q}
        onChange={event => set('q', event.target.value)}
      />
      <Failure error={error} />
      {data?.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      <ul className="plain stack">
        {data?.map(({ id, title, parent, excerpt, updated_at }) => (
          <li key={id} className="box">
            <div className="row wrap">
              <Link href={addressOfDesign(board.key, id)}>
                <strong dir="auto">{title}</strong>
              </Link>
              <span className="muted grow design-of">
                {parent !== null && texts.of([parent.ref, parent.title].filter(Boolean).join(' '))}
              </span>
              <span className="muted numbers">
                <Time at={updated_at} />
              </span>
            </div>
            <p className="muted" dir="auto">
              <Linked text={plainText(excerpt)} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  )
}
