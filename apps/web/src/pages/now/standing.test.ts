import { expect, test } from 'vitest'
import type { BoardListItem } from '../../data/boards.ts'
import type { InboxItem } from '../../data/inbox.ts'
import type { Worker } from '../../data/workers.ts'
import { conditionsOf } from './standing.ts'

const board = { id: 'b', key: 'WS', name: 'Web shop' } as BoardListItem

const card = (ref: string) => ({
  ref,
  title: ref,
  stage: 'work' as const,
  since: '2026-03-02T09:00:00.000Z',
  until: '2026-03-02T10:00:00.000Z',
  attempt: 1,
  overlaps: [],
})

const worker = (name: string, fields: Partial<Worker>): Worker => ({
  kind: 'agent',
  id: name,
  agent_id: name,
  agent_name: name,
  client: null,
  model: null,
  worktree: null,
  branch: null,
  cards: [],
  last_seen_at: '2026-03-02T09:14:27.318Z',
  state: 'working',
  usage: null,
  refusals: { last_hour: 0, codes: {} },
  run: null,
  last_event: null,
  ...fields,
})

const standings = (workers: readonly Worker[], inbox: readonly InboxItem[] = []) =>
  [
    ...conditionsOf(
      workers.map(one => ({ board, worker: one })),
      inbox,
    ),
  ].map(([group, ofGroup]) => [
    group,
    ofGroup.map(({ worker: { agent_name }, standing }) => `${agent_name}: ${standing}`),
  ])

test('who holds a card and is not seen is silent, who is refused again and again is stuck', () => {
  const workers = [
    worker('Busy', { cards: [card('WS-1')] }),
    worker('Refused', { cards: [card('WS-2')], refusals: { last_hour: 28, codes: { CLAIMED: 28 } } }),
    worker('Silent', { cards: [card('WS-3')], state: 'quiet' }),
    worker('Gone', { state: 'ended' }),
    worker('Free', {}),
    worker('Waits', { state: 'waiting' }),
  ]
  expect(Object.fromEntries(standings(workers))).toEqual({
    stuck: ['Silent: silent', 'Refused: refused'],
    working: ['Busy: working'],
    idle: expect.arrayContaining(['Free: idle', 'Waits: waiting']),
    ended: ['Gone: ended'],
  })
})

test('who holds a card with a question for the person waits for them', () => {
  const question = { kind: 'question', record: { ref: 'WS-1' } } as InboxItem
  expect(standings([worker('Asks', { cards: [card('WS-1')] })], [question])).toEqual([['stuck', ['Asks: asks']]])
})

test('of the silent, the one that was seen least lately comes first', () => {
  const silent = (name: string, at: string) =>
    worker(name, { cards: [card(name)], state: 'quiet', last_seen_at: `2026-03-02T${at}:00.000Z` })
  expect(standings([silent('Later', '09:10'), silent('Earlier', '09:00')])).toEqual([
    ['stuck', ['Earlier: silent', 'Later: silent']],
  ])
})
