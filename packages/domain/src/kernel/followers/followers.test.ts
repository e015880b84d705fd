import { expect, test } from 'vitest'
import type { Follower } from './follower.ts'
import { Followers } from './followers.ts'

/** Followers that note when they are started and stopped. */
function noting(): { readonly notes: string[]; readonly follower: (name: string, more?: Follower) => Follower } {
  const notes: string[] = []
  const follower = (name: string, more: Follower = {}): Follower => ({
    start: async () => void notes.push(`start ${name}`),
    stop: async () => void notes.push(`stop ${name}`),
    ...more,
  })
  return { notes, follower }
}

test('starts in order and stops in the reverse order', async () => {
  const { notes, follower } = noting()
  const followers = new Followers([follower('one'), follower('two')], () => {})
  await followers.start(true)
  await followers.stop()
  expect(notes).toEqual(['start one', 'start two', 'stop two', 'stop one'])
})

test('starts without workers only what works in every process', async () => {
  const { notes, follower } = noting()
  await new Followers([follower('worker'), follower('always', { isInEveryProcess: true })], () => {}).start(false)
  expect(notes).toEqual(['start always'])
})

test('tells each follower only what it wants to know, and that there is something of it', () => {
  const notes: unknown[] = []
  const followers = new Followers(
    [
      { wants: { events: boards => notes.push(['one', ...boards]), access: () => notes.push('access') } },
      { wants: { events: boards => notes.push(['two', ...boards]) } },
      {},
    ],
    () => {},
  )
  followers.applyNotice({ events: new Set(['a', 'b']), calls: new Set(['c']), access: false })
  followers.applyNotice({ events: new Set(), access: true })
  expect(notes).toEqual([['one', 'a', 'b'], ['two', 'a', 'b'], 'access'])
})

test('reports a follower that fails, and goes on with the others', async () => {
  const { notes, follower } = noting()
  const faults: unknown[] = []
  const fail = async () => {
    throw new Error('failed')
  }
  const followers = new Followers([follower('one'), { wants: { freed: fail }, stop: fail }], error =>
    faults.push((error as Error).message),
  )
  followers.applyNotice({ freed: true })
  await followers.stop()
  expect(faults).toEqual(['failed', 'failed'])
  expect(notes).toEqual(['stop one'])
})

test('gathers faults', () => {
  const followers = new Followers([{ faults: () => ['late'] }, {}, { faults: () => [] }], () => {})
  expect(followers.faults()).toEqual(['late'])
})
