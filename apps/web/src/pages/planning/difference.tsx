import { useQuery } from '@tanstack/react-query'
import { Failure } from '../../components/refusal.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { PlanKind } from '../../data/planning.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.planning

type FieldDiff = Awaited<ReturnType<typeof client.diffRecord>>['fields'][number]

interface DifferenceProps {
  readonly kind: PlanKind
  readonly id: string
  /** Two history entries; if undefined, the last review and the current state. */
  readonly range: { readonly from?: string; readonly to?: string }
}

/** The changes of a record between two points, word by word. */
export function Difference({ kind, id, range }: DifferenceProps) {
  const { data, error } = useQuery({
    queryKey: keys.part(kind, id, 'difference', range),
    queryFn: () => client.diffRecord({ entity_type: kind, entity_id: id, ...range }),
  })
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="muted">{messages.shell.loading}</p>
  if (data.fields.length === 0) return <p className="muted">{texts.nothingChanged}</p>
  return (
    <dl className="difference">
      {data.truncated && <p className="muted">{texts.truncated}</p>}
      {data.fields.map(field => (
        <div key={field.field}>
          <dt>{nameOf(field.field)}</dt>
          <dd>
            <Changed field={field} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const nameOf = (field: string): string =>
  (texts.fields as Readonly<Record<string, string>>)[field] ?? field.replaceAll('_', ' ')

function Changed({ field: { parts, added, removed, changed, moved, old, new: now } }: { readonly field: FieldDiff }) {
  if (parts !== null) return <Words parts={parts} />
  if (added === null && removed === null && changed === null)
    return (
      <p className="words">
        <del>{shownOf(old)}</del> <ins>{shownOf(now)}</ins>
      </p>
    )
  return (
    <ul className="plain">
      {removed?.map(value => (
        <li key={`- ${shownOf(value)}`}>
          <del>{shownOf(value)}</del>
        </li>
      ))}
      {added?.map(value => (
        <li key={`+ ${shownOf(value)}`}>
          <ins>{shownOf(value)}</ins>
        </li>
      ))}
      {changed?.map(({ id, old: before, new: after }) => (
        <li key={id}>
          <del>{shownOf(before)}</del> <ins>{shownOf(after)}</ins>
        </li>
      ))}
      {moved !== null && moved.length > 0 && <li className="muted">{texts.reordered}</li>}
    </ul>
  )
}

/** Removed words are struck out, added ones underlined: colour is not the only signal. */
const Words = ({ parts }: { readonly parts: NonNullable<FieldDiff['parts']> }) => (
  <p className="words">
    {parts.map(([side, text], index) => {
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place in the text
      if (side === 0) return <span key={index}>{text}</span>
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      return side === 1 ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>
    })}
  </p>
)

/** A value in readable form: the texts of an item, without links and ids. */
function shownOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return texts.nothing
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(shownOf).join(', ')
  const entries = Object.entries(value).filter(
    ([name, text]) => name !== 'id' && typeof text === 'string' && text !== '',
  )
  return entries.map(([, text]) => text).join(' · ')
}
