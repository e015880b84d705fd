import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Readable } from '../../components/guarded.tsx'
import { Linked } from '../../components/linked.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import { keys } from '../../data/keys.ts'
import { readingHistory } from '../../data/needs.ts'
import { type HistoryEntry, planCalls } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'
import { Difference } from './difference.tsx'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

/** The history of the record, with the text changes of each entry; read on demand. */
export function History({ kind, record }: ShownPlan) {
  const [isOpen, setOpen] = useState(false)
  const { data, error } = useQuery({
    queryKey: keys.part(kind, record.id, 'history'),
    queryFn: () => planCalls[kind].history(record.id),
    enabled: isOpen,
  })
  return (
    <details className="section" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="section-title">{texts.history}</summary>
      <Readable needs={readingHistory(kind)}>
        <Failure error={error} />
      </Readable>
      {data !== undefined && (
        <>
          <Compared says={texts.sinceReview} kind={kind} id={record.id} range={{}} />
          <p className="muted numbers">{texts.historyLead(data.items.length, data.total)}</p>
          <ol className="plain activity">
            {data.items.map((entry, index) => (
              <Entry key={entry.id} entry={entry} before={data.items[index + 1]} kind={kind} id={record.id} />
            ))}
          </ol>
        </>
      )}
    </details>
  )
}

interface EntryProps {
  readonly entry: HistoryEntry
  /** The previous change, where the difference starts. */
  readonly before: HistoryEntry | undefined
  readonly kind: ShownPlan['kind']
  readonly id: string
}

const Entry = ({ entry, before, kind, id }: EntryProps) => (
  <li className="plan-change">
    <div className="row wrap">
      <bdi className="truncate">{entry.actor_name}</bdi>
      <span className="muted grow">
        <Linked text={entry.summary ?? entry.action.replaceAll('_', ' ')} />
      </span>
      {entry.version !== null && <span className="badge numbers">{texts.versionOf(entry.version)}</span>}
      <Time at={entry.created_at} />
    </div>
    {before !== undefined && (
      <Compared says={texts.whatChanged} kind={kind} id={id} range={{ from: before.id, to: entry.id }} />
    )}
  </li>
)

interface ComparedProps {
  readonly says: string
  readonly kind: ShownPlan['kind']
  readonly id: string
  readonly range: { readonly from?: string; readonly to?: string }
}

/** A difference that is read when it is opened. */
function Compared({ says, kind, id, range }: ComparedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      onToggle={event => {
        event.stopPropagation()
        setOpen(event.currentTarget.open)
      }}
    >
      <summary className="muted">{says}</summary>
      {isOpen && <Difference kind={kind} id={id} range={range} />}
    </details>
  )
}
