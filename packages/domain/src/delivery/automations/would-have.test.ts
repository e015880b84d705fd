import { expect, test } from 'vitest'
import { type CardNow, type Entry, type NamedChange, wouldHaveMoved } from './would-have.ts'

let seq = 0
const entry = (action: string, details: object = {}, actor = 'forge:r'): Entry => ({
  seq: ++seq,
  action,
  card: 'c',
  actor,
  details: { change_id: 'x', ...details },
})
const moved = (from_status: string, to_status: string) => entry('card_moved', { from_status, to_status })

const card = (status: CardNow['status'], ...workers: string[]) => new Map([['c', { status, workers }]])
const change = (fields: Partial<NamedChange> = {}) =>
  new Map([['x', { isDraft: false, isExternal: false, authors: ['mo'], ...fields }]])

const none = { auto_start_on_change: [], auto_validation_on_pull_request: [], auto_done_on_merge: [] }

test.each<[string, Entry[], ReadonlyMap<string, CardNow>, ReadonlyMap<string, NamedChange>, object]>([
  [
    'the first commit of its worker starts a card',
    [entry('change_linked', { kind: 'commit' })],
    card('not_started', 'mo'),
    change(),
    { auto_start_on_change: ['c'] },
  ],
  [
    'a commit of somebody else does not',
    [entry('change_linked', { kind: 'commit' })],
    card('not_started', 'jo'),
    change(),
    {},
  ],
  [
    'nor one that was linked by hand',
    [entry('change_linked', { kind: 'commit', how: 'manual' })],
    card('not_started', 'mo'),
    change(),
    {},
  ],
  [
    'nor one of a fork',
    [entry('change_linked', { kind: 'commit' })],
    card('not_started', 'mo'),
    change({ isExternal: true }),
    {},
  ],
  [
    'nor one after it was started by hand',
    [moved('not_started', 'started'), entry('change_linked', { kind: 'branch' })],
    card('started', 'mo'),
    change(),
    {},
  ],
  [
    'one before it was started by hand does',
    [entry('change_linked', { kind: 'branch' }), moved('not_started', 'started')],
    card('started', 'mo'),
    change(),
    { auto_start_on_change: ['c'] },
  ],
  [
    'who held the card then counts',
    [entry('card_claimed', {}, 'mo'), entry('change_linked', { kind: 'commit' })],
    card('not_started'),
    change(),
    { auto_start_on_change: ['c'] },
  ],
  [
    'a pull request moves it to validation',
    [entry('pull_request_opened')],
    card('in_progress', 'mo'),
    change(),
    { auto_validation_on_pull_request: ['c'] },
  ],
  ['a draft does not', [entry('pull_request_opened')], card('in_progress', 'mo'), change({ isDraft: true }), {}],
  [
    'a merge finishes it, whoever made it',
    [entry('pull_request_merged')],
    card('validation'),
    change({ authors: [] }),
    { auto_done_on_merge: ['c'] },
  ],
  ['but not from on hold', [entry('pull_request_merged')], card('on_hold'), change(), {}],
])('%s', (_, entries, cards, changes, expected) => {
  expect(wouldHaveMoved(entries, cards, changes)).toEqual({ ...none, ...expected })
})
