import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { Empty } from '../../components/empty.tsx'
import { HoldContext, useHold } from '../../components/hold.ts'
import { type KeyBinding, useKeys } from '../../components/keyboard.ts'
import { MenuItem } from '../../components/menu.tsx'
import { useIsNarrow, useIsStacked } from '../../components/narrow.ts'
import { Avatar } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Segments } from '../../components/segments.tsx'
import { Time } from '../../components/time.tsx'
import { useBoards } from '../../data/boards.ts'
import { type InboxItem, inboxKinds, markRead, useInbox, useSnoozed } from '../../data/inbox.ts'
import { shownName } from '../../data/shown-name.ts'
import { messages } from '../../messages/messages.ts'
import { MoveProvider } from '../../moves/move-card.tsx'
import { Aside } from './aside.tsx'
import { Boards, FirstSteps } from './boards.tsx'
import { InboxEntry } from './entry.tsx'
import { isSnoozed, SnoozedUntil } from './entry-actions.tsx'
import { Holding } from './holding.tsx'
import { KindSign } from './kind-sign.tsx'
import { SinceLastVisit } from './since-last.tsx'
import './inbox.css'

const texts = messages.inbox

const groupings = ['kind', 'board', 'agent'] as const

type Grouping = (typeof groupings)[number]

const groupingKey = 'specboard-inbox-by'

/** The inbox of the person: all items on the left, the open one on the right, with the controls to settle it. */
export default function InboxPage() {
  const { data, error } = useInbox()
  const hold = useHold()
  const { data: boards } = useBoards()
  const [by, setBy] = useState<Grouping>(() => {
    const stored = localStorage.getItem(groupingKey)
    return groupings.find(grouping => grouping === stored) ?? 'kind'
  })
  const groups = groupsOf(data?.items ?? [], by, new Map(boards?.map(({ id, name }) => [id, name])))
  const group = (next: Grouping) => {
    localStorage.setItem(groupingKey, next)
    setBy(next)
  }
  const [isSnoozedShown, setSnoozedShown] = useState(false)
  const snoozed = useSnoozed(isSnoozedShown).data?.items ?? []
  const waiting = groups.flatMap(group => group.items)
  const items = isSnoozedShown ? [...waiting, ...snoozed] : waiting
  const isStacked = useIsStacked()
  const isNarrow = useIsNarrow()
  const { open, choose, list, detail, touch } = useOpenItem(items, isStacked)
  const queries = useQueryClient()
  const count = data === undefined ? 0 : Object.values(data.counts).reduce((sum, kind) => sum + (kind ?? 0), 0)
  const rowsOf = (listed: readonly InboxItem[], grouping: Grouping) => (
    <ul className="plain">
      {listed.map(item => (
        <li key={item.id}>
          <Row item={item} by={grouping} isOpen={item === open} onChoose={() => choose(item)} />
          {isStacked && item === open && <InboxEntry item={item} />}
        </li>
      ))}
    </ul>
  )
  return (
    <HoldContext value={hold}>
      <MoveProvider>
        <div className="inbox-page">
          <div className="bar">
            <h1>{texts.title}</h1>
            {count > 0 && <span className="muted numbers">{count}</span>}
            {(data?.unread ?? 0) > 0 && <span className="muted inbox-unread">{texts.unread.count(data!.unread!)}</span>}
            <span className="grow" />
            {items.length > 0 && (
              <>
                <span className="key-hints" aria-hidden="true">
                  <kbd>j</kbd>
                  <kbd>k</kbd> {texts.keyNext} <kbd>e</kbd> {texts.keySettle} <kbd>h</kbd> {texts.keySnooze}
                </span>
                {!isNarrow && (
                  <Segments
                    label={texts.groupBy}
                    options={texts.groupings}
                    values={groupings}
                    chosen={by}
                    onChoose={group}
                  />
                )}
                <ActionMenu label={texts.more}>
                  {choose => (
                    <>
                      <MenuItem onSelect={choose(() => void markRead(queries, 'all', true))}>
                        {texts.unread.all}
                      </MenuItem>
                      {isNarrow &&
                        groupings
                          .filter(grouping => grouping !== by)
                          .map(grouping => (
                            <MenuItem key={grouping} onSelect={choose(() => group(grouping))}>
                              {texts.groupings[grouping]}
                            </MenuItem>
                          ))}
                    </>
                  )}
                </ActionMenu>
              </>
            )}
          </div>
          <div className={items.length === 0 ? 'inbox-split empty-inbox' : 'inbox-split'}>
            <div className="inbox-list" ref={list}>
              <Failure error={error} />
              {data === undefined && error === null && <InboxSkeleton />}
              {data?.items.length === 0 && boards?.length !== 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
              {data?.items.length === 0 && boards?.length === 1 && <FirstSteps board={boards[0]!} />}
              <Holding holding={data?.holding ?? []} />
              {groups.map(({ name, items: ofGroup, total }, place) => (
                <section key={name} aria-labelledby={`inbox-group-${place}`}>
                  <h2 id={`inbox-group-${place}`} className="inbox-group">
                    {name} <span className="muted numbers">{total(data?.counts)}</span>
                  </h2>
                  {rowsOf(ofGroup, by)}
                </section>
              ))}
              {(data?.snoozed ?? 0) > 0 && (
                <Aside
                  id="inbox-snoozed"
                  title={texts.snooze.title}
                  says={<span className="muted numbers">{data!.snoozed}</span>}
                  isOpen={isSnoozedShown}
                  onOpen={setSnoozedShown}
                >
                  {rowsOf(snoozed, 'agent')}
                </Aside>
              )}
              <SinceLastVisit />
              <Boards />
            </div>
            {!isStacked && open !== undefined && (
              // biome-ignore lint/a11y/noStaticElementInteractions: what is listened to is only whether somebody is there
              <div className="inbox-detail" ref={detail} onPointerDown={touch} onFocus={touch}>
                <InboxEntry key={open.id} item={open} />
              </div>
            )}
          </div>
        </div>
      </MoveProvider>
    </HoldContext>
  )
}

interface Group {
  readonly name: string
  readonly items: readonly InboxItem[]
  /** The total number: more may wait than are listed. */
  readonly total: (counts: Readonly<Record<string, number | undefined>> | undefined) => number
}

function groupsOf(items: readonly InboxItem[], by: Grouping, boards: ReadonlyMap<string, string>): readonly Group[] {
  if (by === 'board')
    return [...Map.groupBy(items, item => item.board_id)].map(([id, ofBoard]) => ({
      name: id === null ? texts.noBoard : (boards.get(id) ?? ofBoard[0]!.board_key ?? ''),
      items: ofBoard,
      total: () => ofBoard.length,
    }))
  if (by === 'agent')
    return [...Map.groupBy(items, item => item.actor_id)].map(([, ofActor]) => ({
      name: ofActor[0]!.actor_name === null ? texts.nobody : shownName(ofActor[0]!.actor_name),
      items: ofActor,
      total: () => ofActor.length,
    }))
  const byKind = Map.groupBy(items, item => item.kind)
  return inboxKinds.flatMap(kind => {
    const ofKind = byKind.get(kind)
    if (ofKind === undefined) return []
    const total = (counts: Parameters<Group['total']>[0]) => counts?.[kind] ?? ofKind.length
    return [{ name: texts.kinds[kind], items: ofKind, total }]
  })
}

/** The open item, and the keys that lead to others: a settled item is replaced by the next one. */
function useOpenItem(items: readonly InboxItem[], isStacked: boolean) {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const [isTouched, setTouched] = useState(false)
  const place = useRef(0)
  const list = useRef<HTMLDivElement>(null)
  const detail = useRef<HTMLDivElement>(null)
  const at = items.findIndex(({ id }) => id === chosen)
  // The open item was settled: the next one takes its place.
  const open = items[at] ?? (isStacked ? undefined : items[Math.min(place.current, items.length - 1)])
  const openId = open?.id
  useEffect(() => {
    place.current = Math.max(
      0,
      items.findIndex(({ id }) => id === openId),
    )
  })
  // An item that was settled is not opened again when somebody returns.
  const isGone = chosen !== undefined && at === -1
  useEffect(() => {
    if (isGone) setChosen(openId)
  }, [isGone, openId])
  // An item that is only shown because it is the first does not count as opened.
  const opened = chosen !== undefined || isTouched ? openId : undefined
  const isUnread = open?.unread === true && !isSnoozed(open)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked as unread while it is open stays so
  useEffect(() => {
    if (opened !== undefined && isUnread) void markRead(queries, [opened], true)
  }, [opened])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another item is open
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null)
      list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true })
    detail.current?.scrollTo(0, 0)
  }, [openId])
  const choose = (item: InboxItem) => setChosen(isStacked && item.id === openId ? undefined : item.id)
  const step = (by: number) => {
    const next = items[Math.min(Math.max(place.current + by, 0), items.length - 1)]
    if (next === undefined) return
    setChosen(next.id)
    const row = list.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.id)}"]`)
    row?.scrollIntoView({ block: 'nearest' })
    row?.focus({ preventScroll: true })
  }
  const inside = (selector: string) =>
    (isStacked ? list : detail).current?.querySelector<HTMLElement>(selector) ?? undefined
  const bindings: readonly KeyBinding[] = [
    { keys: 'j', says: texts.keys.next, place: 'here', run: () => step(1) },
    { keys: 'k', says: texts.keys.previous, place: 'here', run: () => step(-1) },
    {
      keys: 'e',
      says: texts.keys.settle,
      place: 'here',
      run: () => inside('.entry-settle :is(textarea, input, select, button, a[href])')?.focus(),
    },
    { keys: 'o', says: texts.keys.open, place: 'here', run: () => inside('[data-opens]')?.click() },
    { keys: 'h', says: texts.keys.snooze, place: 'here', run: () => inside('[data-snoozes]')?.click() },
    { keys: 'u', says: texts.keys.unread, place: 'here', run: () => inside('[data-marks]')?.click() },
  ]
  useKeys(bindings)
  return { open, choose, list, detail, touch: () => setTouched(true) }
}

interface RowProps {
  readonly item: InboxItem
  readonly by: Grouping
  readonly isOpen: boolean
  readonly onChoose: () => void
}

/** An inbox item: its text and record, by whom and since when; a group of one kind does not repeat the kind. */
function Row({ item, by, isOpen, onChoose }: RowProps) {
  const { id, kind, record, data, actor_name, since, unread } = item
  const excerpt = [data?.question, data?.content, data?.excerpt].find(text => typeof text === 'string' && text !== '')
  return (
    <button
      type="button"
      className={isSnoozed(item) ? 'inbox-row away' : unread === true ? 'inbox-row unread' : 'inbox-row'}
      data-item={id}
      aria-current={isOpen ? 'true' : undefined}
      onClick={onChoose}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !isOpen) return
        const opens = event.currentTarget.closest('.inbox-split')?.querySelector<HTMLElement>('[data-opens]')
        if (opens === null || opens === undefined) return
        event.preventDefault()
        opens.click()
      }}
    >
      <KindSign item={item} />
      <span className="inbox-what" dir="auto">
        {typeof excerpt === 'string' ? excerpt : record.title}
      </span>
      {(typeof excerpt === 'string' || by !== 'kind') && (
        <span className="inbox-sub" dir="auto">
          {typeof excerpt === 'string' ? record.title : texts.kinds[kind]}
        </span>
      )}
      <span className="inbox-by">
        {actor_name !== null && (
          <>
            <Avatar name={shownName(actor_name)} />
            <bdi className="truncate">{shownName(actor_name)}</bdi>
          </>
        )}
        <span className="ref">{record.ref}</span>
        <span className="grow" />
        {isSnoozed(item) ? <SnoozedUntil item={item} /> : <Time at={since} />}
      </span>
      {unread === true && !isSnoozed(item) && <span className="hidden">{texts.unread.one}</span>}
    </button>
  )
}

const InboxSkeleton = () => (
  <div role="status" className="stack">
    <span className="hidden">{messages.shell.loading}</span>
    {[1, 2, 3].map(row => (
      <div key={row} className="inbox-row" aria-hidden="true">
        <span className="skeleton" />
        <span className="skeleton" />
        <span className="skeleton" />
      </div>
    ))}
  </div>
)
