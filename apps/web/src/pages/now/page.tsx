import { type RefObject, useRef } from 'react'
import { Link } from 'wouter'
import { Empty } from '../../components/empty.tsx'
import { RightsOn } from '../../components/guarded.tsx'
import { useKeys } from '../../components/keyboard.ts'
import { Failure } from '../../components/refusal.tsx'
import { lasting, useNow } from '../../components/time.tsx'
import { type BoardListItem, useBoards } from '../../data/boards.ts'
import { useCards } from '../../data/cards.ts'
import { useInbox } from '../../data/inbox.ts'
import { useWorkers } from '../../data/workers.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { NowSkeleton } from './now-skeleton.tsx'
import { Overlaps } from './overlaps.tsx'
import { conditionsOf, groups, type StandingWorker } from './standing.ts'
import { TopBlockers } from './top-blockers.tsx'
import { WorkerRow } from './worker-row.tsx'
import '../../components/figures.css'
import './now.css'

const texts = messages.now

/** The workers of a board: those who are stuck come first, with actions to help them (harness 6). */
export default function NowPage({ board }: BoardPageProps) {
  return <Now board={board} />
}

/** The workers of a board, or of all boards. */
export function Now({ board }: { readonly board?: BoardListItem }) {
  const { data: boards } = useBoards()
  const root = useRef<HTMLDivElement>(null)
  useNowKeys(root)
  const visibleBoards = board === undefined ? (boards ?? noBoards) : [board]
  return (
    <>
      <div className="bar">
        <h1>{texts.title}</h1>
        <span className="bar-line" />
        <Scope board={board} boards={boards ?? noBoards} />
      </div>
      <div className="page" ref={root}>
        <Workers boards={visibleBoards} />
      </div>
    </>
  )
}

const noBoards: readonly BoardListItem[] = []

interface ScopeProps {
  readonly board: BoardListItem | undefined
  readonly boards: readonly BoardListItem[]
}

/** Switches between one board and all of them. */
function Scope({ board, boards }: ScopeProps) {
  const near = board ?? boards[0]
  if (near === undefined) return null
  return (
    <nav className="segments" aria-label={texts.which}>
      <Link href={`/b/${near.key}/now`} aria-current={board === undefined ? undefined : 'page'}>
        <bdi className="truncate">{near.name}</bdi>
      </Link>
      <Link href="/now" aria-current={board === undefined ? 'page' : undefined}>
        {texts.allBoards}
      </Link>
    </nav>
  )
}

/** The keys of the page: they move between workers. */
function useNowKeys(root: RefObject<HTMLElement | null>): void {
  const go = (step: number) => () => {
    const all = [...(root.current?.querySelectorAll<HTMLElement>('.worker') ?? [])]
    const at = all.findIndex(worker => worker.contains(document.activeElement))
    all[at === -1 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]?.focus()
  }
  useKeys([
    { keys: 'j', says: texts.keys.next, place: 'here', run: go(1) },
    { keys: 'k', says: texts.keys.previous, place: 'here', run: go(-1) },
  ])
}

function Workers({ boards }: { readonly boards: readonly BoardListItem[] }) {
  const { data: workers, error } = useWorkers(boards)
  const { data: inbox } = useInbox()
  const [only] = boards.length === 1 ? boards : []
  const ids = new Set(boards.map(({ id }) => id))
  const waiting = (inbox?.items ?? []).filter(({ board_id }) => board_id !== null && ids.has(board_id))
  const standings = conditionsOf(workers ?? [], waiting)
  const all = [...standings.values()].flat()
  return (
    <>
      <Failure error={error} />
      {workers === undefined && error === null && <NowSkeleton />}
      {workers !== undefined && (
        <>
          <Figures workers={all} since={waiting.map(item => item.since)} board={only} />
          {all.length === 0 && (
            <Empty title={texts.empty} lead={texts.emptyLead}>
              <Link className="button" href="/admin">
                {texts.connect}
              </Link>
            </Empty>
          )}
        </>
      )}
      {groups.map(group => {
        const ofGroup = standings.get(group) ?? []
        if (ofGroup.length === 0) return null
        return (
          <section key={group} aria-labelledby={`now-${group}`}>
            <h2 id={`now-${group}`} className="now-title">
              {texts.groups[group]} <span className="muted numbers">{number(ofGroup.length)}</span>
            </h2>
            <ul className="plain workers">
              {ofGroup.map(standing => (
                <li key={`${standing.board.id} ${standing.worker.kind} ${standing.worker.id}`}>
                  <RightsOn boardId={standing.board.id}>
                    <WorkerRow {...standing} isOfMany={only === undefined} />
                  </RightsOn>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
      {boards.map(board => (
        <RightsOn key={board.id} boardId={board.id}>
          <TopBlockers board={board} isOfMany={only === undefined} />
          <Overlaps board={board} isOfMany={only === undefined} />
        </RightsOn>
      ))}
    </>
  )
}

interface FiguresProps {
  readonly workers: readonly StandingWorker[]
  /** Since when each item has waited for the person. */
  readonly since: readonly string[]
  /** Set if only one board is shown. */
  readonly board: BoardListItem | undefined
}

function Figures({ workers, since, board }: FiguresProps) {
  const now = useNow()
  const { stats } = texts
  const atWork = workers.filter(({ worker: { cards, state } }) => cards.length > 0 && state === 'working').length
  const silent = workers.filter(({ standing }) => standing === 'silent')
  const lastSeen = silent.flatMap(({ worker }) => worker.last_seen_at ?? []).sort()[0]
  const refused = workers.reduce((sum, { worker }) => sum + (worker.refusals?.last_hour ?? 0), 0)
  const oldest = [...since].sort()[0]
  return (
    <dl className="figures">
      <div>
        <dt>{stats.atWork}</dt>
        <dd>
          {atWork} {workers.length > 0 && <small>{stats.of(workers.length)}</small>}
        </dd>
      </div>
      <div>
        <dt>{stats.forYou}</dt>
        <dd>
          <Link href="/">{number(since.length)}</Link>{' '}
          {oldest !== undefined && <small className="warn">{stats.oldest(lasting(oldest, now))}</small>}
        </dd>
      </div>
      <div>
        <dt>{stats.silent}</dt>
        <dd>
          {silent.length} {lastSeen !== undefined && <small className="bad">{lasting(lastSeen, now)}</small>}
        </dd>
      </div>
      <div>
        <dt>{stats.refused}</dt>
        <dd>
          {refused} <small>{stats.lastHour}</small>
        </dd>
      </div>
      {board !== undefined && <DoneToday board={board} />}
    </dl>
  )
}

function DoneToday({ board }: { readonly board: BoardListItem }) {
  const { data: cards } = useCards(board.id)
  const midnight = new Date(useNow()).setHours(0, 0, 0, 0)
  const done = (cards ?? []).filter(({ status, moved_at }) => status === 'done' && Date.parse(moved_at) >= midnight)
  return (
    <div>
      <dt>{texts.stats.doneToday}</dt>
      <dd>
        <Link href={`/b/${board.key}/board?updated=day`}>{number(done.length)}</Link>
      </dd>
    </div>
  )
}
