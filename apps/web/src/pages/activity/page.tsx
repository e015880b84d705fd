import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { addressOfDesign, addressOfRecord } from '../../address.ts'
import { chosenOf, useAddressFilters } from '../../components/address-filters.ts'
import { Choice } from '../../components/choice.tsx'
import { Empty } from '../../components/empty.tsx'
import { InputField } from '../../components/field.tsx'
import { More } from '../../components/more.tsx'
import { Person } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf, Time } from '../../components/time.tsx'
import { useNames } from '../../data/boards.ts'
import { useChanged } from '../../data/changed.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { BoardEvent } from '../../data/stream.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { changesOf } from './changes.ts'
import './activity.css'

const texts = messages.activity

type Kind = BoardEvent['entity_type']

const kinds = Object.keys(texts.kinds) as Kind[]

const filterNames = ['entity_type', 'entity_id', 'actor_id', 'action', 'since', 'until'] as const

type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string> & { entity_type: Kind }>>

/** How many events are read at once. */
const atOnce = 50

/** What happened on a board, newest first; the filters stand in the address. */
export default function ActivityPage({ board }: BoardPageProps) {
  const [search, set] = useAddressFilters()
  const { data: names } = useNames(board.id)
  // Whatever else the address says is refused by the service, in its own words.
  const filters = chosenOf(search, filterNames) as Filters
  const listed = useInfiniteQuery({
    queryKey: keys.list(board.id, 'events', filters),
    queryFn: ({ pageParam }) =>
      client.listBoardEvents({
        board_id: board.id,
        order: 'desc',
        limit: atOnce,
        ...filters,
        ...(pageParam !== 0 && { before: pageParam }),
      }),
    initialPageParam: 0,
    getNextPageParam: last => (last.more ? last.last_sequence : undefined),
  })
  const { data, error } = listed
  const events = data?.pages.flatMap(page => page.events).filter(event => 'sequence' in event) ?? []
  const field = (name: keyof Filters, label: string, type: 'date' | 'text', placeholder?: string) => (
    <InputField
      label={label}
      key={`${name} ${filters[name] ?? ''}`}
      type={type}
      placeholder={placeholder}
      defaultValue={filters[name] ?? ''}
      onBlur={event => set(name, event.target.value)}
      onKeyDown={event => event.key === 'Enter' && set(name, event.currentTarget.value)}
    />
  )
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      <div className="row wrap filters">
        <Choice
          label={texts.record}
          none={texts.anyRecord}
          value={kinds.find(kind => kind === filters.entity_type) ?? ''}
          options={kinds.map(kind => ({ value: kind, label: texts.kinds[kind] }))}
          onChange={kind => set('entity_type', kind)}
        />
        <Choice
          label={texts.agent}
          none={texts.anybody}
          value={filters.actor_id ?? ''}
          options={[...(names ?? [])].map(([value, label]) => ({ value, label }))}
          onChange={id => set('actor_id', id)}
        />
        {field('entity_id', texts.one, 'text', texts.oneHint(board.key))}
        {field('action', texts.action, 'text', texts.actionHint)}
        {field('since', texts.since, 'date')}
        {field('until', texts.until, 'date')}
      </div>
      <Failure error={error} />
      {data !== undefined && events.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {[...Map.groupBy(events, event => dayOf(event.at))].map(([day, ofDay]) => (
        <section key={day} aria-label={day}>
          <h2 className="muted">{day}</h2>
          <ol className="plain">
            {ofDay.map(event => (
              <EventView key={event.sequence} event={event} boardKey={board.key} />
            ))}
          </ol>
        </section>
      ))}
      <More of={listed} label={texts.older} />
    </div>
  )
}

interface EventViewProps {
  readonly event: BoardEvent
  readonly boardKey: string
}

function EventView({ event, boardKey }: EventViewProps) {
  const { entity_type, entity_id, ref, action, actor_name, at } = event
  const isNew = useChanged(entity_id)
  const changes = changesOf(event)
  return (
    <li className={isNew ? 'event changed' : 'event'}>
      <Person name={actor_name} />
      <span className="grow">
        {action.replaceAll('_', ' ')} {ref !== null && <Link href={addressOfRecord(entity_type, ref)}>{ref}</Link>}
        {entity_type === 'architecture_design' && <Link href={addressOfDesign(boardKey, entity_id)}>{texts.open}</Link>}
        {changes.length > 0 && <span className="muted event-changes">{changes.join(' · ')}</span>}
      </span>
      <span className="muted numbers">
        <Time at={at} />
      </span>
    </li>
  )
}
