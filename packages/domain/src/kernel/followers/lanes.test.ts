import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { LaneWork, Next } from './lane.ts'
import { Lanes } from './lanes.ts'

/** Work that behaves as a test specifies, and records how it was called. */
class Work implements LaneWork {
  readonly notes: string[] = []
  readonly nexts: (Next | Error | Promise<Next>)[] = []
  isOurs = true
  onRelease: () => void = () => {}

  async take(): Promise<boolean> {
    return this.isOurs
  }

  async step(): Promise<Next> {
    this.notes.push('step')
    const next = await this.nexts.shift()
    if (next instanceof Error) throw next
    return next ?? { until: undefined }
  }

  async release(): Promise<void> {
    this.notes.push('release')
    this.onRelease()
  }
}

let now: number
let faults: unknown[]
let lanes: Lanes<Work>
let work: Work

beforeEach(() => {
  vi.useFakeTimers()
  now = 1_000
  faults = []
  lanes = new Lanes({ clock: () => now, onFault: error => faults.push(error) })
  lanes.start()
  work = new Work()
})

afterEach(async () => {
  await lanes.stopped()
  vi.useRealTimers()
})

const open = () => lanes.open('board', 'key', () => work)!

/** Lets everything happen that needs no time. */
const settle = () => vi.advanceTimersByTimeAsync(0)

describe('a lane', () => {
  test('does one step after another until there is nothing to do', async () => {
    work.nexts.push('continue', 'continue')
    open().wake()
    await settle()
    expect(work.notes).toEqual(['step', 'step', 'step'])
  })

  test('looks again when it is woken while it works, and never works twice at once', async () => {
    const { promise, resolve } = Promise.withResolvers<Next>()
    work.nexts.push(promise)
    open().wake()
    await settle()
    open().wake()
    open().wake()
    await settle()
    expect(work.notes).toEqual(['step'])
    resolve({ until: undefined })
    await settle()
    expect(work.notes).toEqual(['step', 'step'])
  })

  test('leaves to another node what that one works on, until it is woken', async () => {
    work.isOurs = false
    open().wake()
    await settle()
    expect(work.notes).toEqual([])
    work.isOurs = true
    open().wake()
    await settle()
    expect(work.notes).toEqual(['step'])
  })

  test('rests until the time that a step names, or until it is woken sooner', async () => {
    work.nexts.push({ until: now + 5_000 })
    open().wake()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(work.notes).toEqual(['step'])
    await vi.advanceTimersByTimeAsync(1)
    expect(work.notes).toEqual(['step', 'step'])
    open().wakeIn(100)
    open().wakeIn(200)
    open().wakeIn(50)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(work.notes).toEqual(['step', 'step', 'step'])
  })

  test('rests again after a step during which its time came', async () => {
    const { promise, resolve } = Promise.withResolvers<Next>()
    work.nexts.push(promise, { until: now + 5_000 })
    const lane = open()
    lane.wake()
    lane.wakeIn(10)
    await vi.advanceTimersByTimeAsync(20)
    expect(work.notes).toEqual(['step'])
    resolve({ until: undefined })
    await settle()
    expect(work.notes).toEqual(['step', 'step'])
    await vi.advanceTimersByTimeAsync(5_000)
    expect(work.notes).toEqual(['step', 'step', 'step'])
  })

  test('reports a fault, rests, and tries again', async () => {
    work.nexts.push(new Error('broken'))
    open().wake()
    await settle()
    expect(faults).toEqual([new Error('broken')])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(work.notes).toEqual(['step', 'step'])
  })

  test('is released and forgotten when there is nothing left to do', async () => {
    work.nexts.push('end')
    open().wake()
    await settle()
    expect(work.notes).toEqual(['step', 'release'])
    expect([...lanes.of('board'), ...lanes.all()]).toEqual([])
  })

  test('goes on if it is woken while it ends', async () => {
    work.nexts.push('end')
    const lane = open()
    work.onRelease = () => lane.wake()
    lane.wake()
    await settle()
    expect(work.notes).toEqual(['step', 'release', 'step'])
    expect(lanes.all()).toEqual([lane])
  })
})

describe('lanes', () => {
  test('are found by group and key, and made once', () => {
    const one = open()
    const other = lanes.open('board', 'other', () => new Work())
    lanes.open('elsewhere', 'key', () => new Work())
    expect(open()).toBe(one)
    expect([...lanes.of('board')]).toEqual([one, other])
    expect(lanes.all()).toHaveLength(3)
  })

  test('are opened neither before the start nor after the stop', async () => {
    const unstarted = new Lanes<Work>({ clock: () => now, onFault: () => {} })
    expect(unstarted.open('board', 'key', () => work)).toBeUndefined()
    await lanes.stopped()
    expect(lanes.open('board', 'key', () => work)).toBeUndefined()
  })

  test('end after the step at hand when they stop, and report nothing that the stop broke', async () => {
    const { promise, reject } = Promise.withResolvers<Next>()
    work.nexts.push(promise)
    lanes.stop.addEventListener('abort', () => reject(new Error('stopped')))
    open().wake()
    await settle()
    await lanes.stopped()
    expect([work.notes, faults]).toEqual([['step'], []])
  })
})
