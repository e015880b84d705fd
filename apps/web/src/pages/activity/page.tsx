import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { addressOfDesign, addressOfRecord } from '../../address.ts'
import { ActionSentence } from '../../components/action-sentence.tsx'
import { chosenOf, useAddressFilters } from '../../components/address-filters.ts'
import { Empty } from '../../components/empty.tsx'
import { type FilterField, periodFields } from '../../components/filters/fields.ts'
import { Filters } from '../../components/filters/filters.tsx'
import { NoMatch } from '../../components/filters/no-match.tsx'
import { More } from '../../components/more.tsx'
import { Avatar } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf, Time } from '../../components/time.tsx'
import { type BoardListItem, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardSummary, useCards } from '../../data/cards.ts'
import { useChanged } from '../../data/changed.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { shownName } from '../../data/shown-name.ts'
import type { BoardEvent } from '../../data/stream.ts'
import { lastVisit } from '../../data/visit.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { actionGroupNames, askedActions } from './actions.ts'
import { changesOf } from './changes.ts'
import { foldedRuns, type Run } from './runs.ts'
import '../card/card.css'
import './activity.css'
import { Linked, TitledLink } from '../../components/linked.tsx'

const texts = messages.activity

type Kind = BoardEvent['entity_type']

const kinds = Object.keys(texts.kinds) as Kind[]

const filterNames = ['entity_type', 'entity_id', 'actor_id', 'action', 'since', 'until'] as const

type Chosen = Readonly<Partial<Record<(typeof filterNames)[number], string> & { entity_type: Kind }>>

/** How many events are read at once. */
const atOnce = 50

/** The activity of a board, newest first; the filters are in the address. */
export default function ActivityPage({ board }: BoardPageProps) {
  const [search, set, clear] = useAddressFilters()
  // The service refuses any other value, in its own words.
  const filters = chosenOf(search, filterNames) as Chosen
  const listed = useInfiniteQuery({
    queryKey: keys.list(board.id, 'events', filters),
    queryFn: ({ pageParam }) =>
      client.listBoardEvents({
        board_id: board.id,
        order: 'desc',
        limit: atOnce,
        ...filters,
        ...(filters.action !== undefined && { action: askedActions(filters.action) }),
        ...(pageParam !== 0 && { before: pageParam }),
      }),
    initialPageParam: 0,
    getNextPageParam: last => (last.more ? last.last_sequence : undefined),
  })
  const { data, error } = listed
  const events = data?.pages.flatMap(page => page.events).filter(event => 'sequence' in event) ?? []
  const records = useRecords(board.id)
  const titles = useMemo(() => new Map(records.map(({ id, title }) => [id, title])), [records])
  const fields = useFields(board, filters, records)
  return (
    <>
      <div className="bar filtered-bar">
        <h1>{texts.title}</h1>
        <search className="filter-bar">
          <span className="bar-line" />
          <Filters fields={fields} query={search} onChange={set} onClear={clear} />
        </search>
      </div>
      <div className="page activity-page">
        <Failure error={error} />
        {data === undefined && error === null && <ActivitySkeleton />}
        {data !== undefined && events.length === 0 && <Nothing filters={filters} onClear={clear} />}
        {[...Map.groupBy(events, event => dayOf(event.at))].map(([day, ofDay]) => (
          <section key={day} aria-label={day}>
            <h2 className="activity-day">{day}</h2>
            <ol className="plain stream">
              {foldedRuns(ofDay).map(run => (
                <RunView key={run[0].sequence} run={run} boardKey={board.key} titles={titles} />
              ))}
            </ol>
          </section>
        ))}
        <More of={listed} label={texts.older} />
      </div>
    </>
  )
}

interface NoEventsProps {
  readonly filters: Chosen
  readonly onClear: (names: readonly string[]) => void
}

/** Shown if there are no events, or none that pass the filters. */
const Nothing = ({ filters, onClear }: NoEventsProps) =>
  Object.keys(filters).length === 0 ? (
    <Empty title={texts.empty} lead={texts.emptyLead} />
  ) : (
    <NoMatch title={texts.noMatch} onClear={() => onClear(filterNames)} />
  )

/** The filters of a board's activity: kinds of record, who, what, one record, a range of days. */
function useFields(board: BoardListItem, filters: Chosen, records: readonly Named[]): readonly FilterField[] {
  const { data: names } = useNames(board.id)
  const [before] = useState(lastVisit)
  return [
    {
      kind: 'choice',
      name: 'entity_type',
      label: texts.record,
      options: kinds.map(kind => ({ value: kind, label: texts.kinds[kind] })),
    },
    {
      kind: 'choice',
      name: 'actor_id',
      label: texts.agent,
      options: [...(names ?? [])].map(([value, label]) => ({ value, label })),
    },
    {
      kind: 'choice',
      name: 'action',
      label: texts.action,
      options: actionGroupNames.map(name => ({ value: name, label: texts.actions[name] })),
      wordsOf: actions => actions.replaceAll('_', ' ').replaceAll(',', ', '),
    },
    {
      kind: 'choice',
      name: 'entity_id',
      label: texts.one,
      options: records.map(({ ref, title }) => ({ value: ref, label: `${ref} ${title}` })),
      isOpen: true,
      wordsOf: id => records.find(record => record.id === id)?.ref ?? id,
    },
    ...periodFields(
      ['since', 'until'],
      texts,
      filters,
      before === undefined ? undefined : { value: before, label: texts.lastVisit },
    ),
  ]
}

type Named = Pick<CardSummary, 'id' | 'ref' | 'title'>

/** The cards, specs and sprints of a board that have been read so far. */
function useRecords(boardId: string): readonly Named[] {
  const { data: cards } = useCards(boardId)
  const { data: specs } = useSpecs(boardId)
  const { data: sprints } = useSprints(boardId)
  return useMemo(() => [...(specs ?? []), ...(sprints ?? []), ...(cards ?? [])], [cards, specs, sprints])
}

interface RunViewProps {
  readonly run: Run
  readonly boardKey: string
  readonly titles: ReadonlyMap<string, string>
}

/** What somebody did several times in a row, as one line that expands. */
function RunView({ run: [first, ...others], boardKey, titles }: RunViewProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <EventView event={first} boardKey={boardKey} titles={titles}>
        {others.length > 0 && !isOpen && (
          <button type="button" className="button quiet activity-more" onClick={() => setOpen(true)}>
            {texts.andMore(others.length)}
          </button>
        )}
      </EventView>
      {isOpen &&
        others.map(event => <EventView key={event.sequence} event={event} boardKey={boardKey} titles={titles} />)}
    </>
  )
}

interface EventViewProps {
  readonly event: BoardEvent
  readonly boardKey: string
  readonly titles: ReadonlyMap<string, string>
  readonly children?: ReactNode
}

function EventView({ event, boardKey, titles, children }: EventViewProps) {
  const { entity_id, action, actor_name, at, details } = event
  const isNew = useChanged(entity_id)
  const changes = plain.test(action) ? [] : changesOf({ changes: event.changes, details: null })
  return (
    <li className={isNew ? 'changed' : undefined}>
      <Avatar name={shownName(actor_name)} />
      <div className="event">
        <p>
          <bdi className="name">{shownName(actor_name)}</bdi>{' '}
          <ActionSentence
            action={action}
            details={details}
            it={<RecordName event={event} boardKey={boardKey} title={titles.get(entity_id)} />}
          />{' '}
          {children}
        </p>
        {changes.length > 0 && (
          <p className="event-changes">
            <Linked text={changes.join(' · ')} />
          </p>
        )}
      </div>
      <span className="event-time numbers">
        <Time at={at} />
      </span>
    </li>
  )
}

/** Actions whose sentence describes the whole change. */
const plain = /_(?:created|moved|deleted|assigned|unassigned|status_changed)$|^status_changed$/

interface RecordNameProps {
  readonly event: BoardEvent
  readonly boardKey: string
  readonly title: string | undefined
}

/** A record in a sentence: its reference and, once known, its title, which may contain references. */
function RecordName({ event: { entity_type, entity_id, ref, details }, boardKey, title }: RecordNameProps) {
  const named = title ?? (typeof details?.title === 'string' && ref !== null ? details.title : undefined)
  if (ref !== null)
    return (
      <span className="event-record">
        <TitledLink href={addressOfRecord(entity_type, ref)} reference={ref} title={named} />
      </span>
    )
  const word = texts.kinds[entity_type] ?? ''
  return entity_type === 'architecture_design' ? (
    <Link href={addressOfDesign(boardKey, entity_id)}>{texts.design}</Link>
  ) : (
    texts.the(word)
  )
}

const ActivitySkeleton = () => (
  <div role="status" className="stack">
    <span className="hidden">{messages.shell.loading}</span>
    {[1, 2, 3, 4, 5].map(row => (
      <span key={row} className="skeleton" aria-hidden="true" />
    ))}
  </div>
)
