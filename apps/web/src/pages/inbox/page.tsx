import { Empty } from '../../components/empty.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type InboxItem, type InboxKind, inboxKinds, useInbox } from '../../data/inbox.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import { Boards } from './boards.tsx'
import { InboxEntry } from './entry.tsx'
import './inbox.css'

const texts = messages.inbox

/** What waits for the person, grouped by what is to be done, and the boards. */
export default function InboxPage() {
  const { data, error } = useInbox()
  const groups = Map.groupBy(data?.items ?? [], item => item.kind)
  return (
    <MoveProvider>
      <div className="page inbox">
        <div className="inbox-main">
          <h1>{texts.title}</h1>
          <Failure error={error} />
          {data?.items.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
          {inboxKinds.map(kind => {
            const items = groups.get(kind)
            return items === undefined ? null : (
              <Group key={kind} kind={kind} items={items} count={data?.counts[kind] ?? items.length} />
            )
          })}
        </div>
        <Boards />
      </div>
    </MoveProvider>
  )
}

interface GroupProps {
  readonly kind: InboxKind
  readonly items: readonly InboxItem[]
  readonly count: number
}

const Group = ({ kind, items, count }: GroupProps) => (
  <section aria-labelledby={`inbox-${kind}`}>
    <h2 id={`inbox-${kind}`} className="inbox-group">
      {texts.kinds[kind]} <span className="muted numbers">{count}</span>
    </h2>
    <ul className="plain stack">
      {items.map(item => (
        <li key={item.id}>
          <InboxEntry item={item} />
        </li>
      ))}
    </ul>
  </section>
)
