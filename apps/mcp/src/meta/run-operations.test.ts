// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the tool's own
import { expect, test } from 'vitest'
import type { Arguments } from '../calls/read-arguments.ts'
import { type Outcome, succeeded } from '../calls/results.ts'
import { RunOperations, runOperations } from './run-operations.ts'

const answers = (value: Record<string, unknown>): Outcome => succeeded({ value, text: JSON.stringify(value) })
const refused: Outcome = { ok: false, error: { status: 409, detail: { error: 'BUSY' } } }

/** Runs calls against given outcomes by name, and records the arguments of each call. */
async function run(calls: unknown[], byName: Record<string, Outcome>, more: object = {}) {
  const sentArgs: Arguments[] = []
  const { value, stopped } = await runOperations(
    RunOperations.parse({ calls, ...more }),
    async (name, args) => {
      sentArgs.push(args)
      return byName[name]!
    },
    () => {},
    new AbortController().signal,
    20_000,
  )
  return { value, stopped, sentArgs }
}

test('a reference on its own keeps its type; inside text it becomes text', async () => {
  const { sentArgs, value } = await run(
    [
      { as: 'spec', name: 'get', arguments: { id: 'x' } },
      {
        name: 'use',
        arguments: {
          id: '${spec.id}',
          items: ['${spec.cards.1}'],
          n: '${spec.n}',
          text: 'spec ${spec.id} of ${spec.n}',
        },
      },
    ],
    { get: answers({ id: 's', n: 2, cards: ['a', { id: 'b' }] }), use: answers({ ok: true }) },
  )
  expect(sentArgs[1]).toEqual({ id: 's', items: [{ id: 'b' }], n: 2, text: 'spec s of 2' })
  expect(value).toEqual({
    results: [
      { as: 'spec', name: 'get', ok: true, value: { id: 's', n: 2, cards: ['a', { id: 'b' }] } },
      { name: 'use', ok: true, value: { ok: true } },
    ],
    failed: 0,
  })
})

test('a reference takes the value before it was shortened, or a count that only the shortened value has', async () => {
  const value = { text: 'a…[+1]', cards_count: 1 }
  const short = succeeded({ value, text: JSON.stringify(value), uncut: () => ({ text: 'ab', cards: [{ id: 'c' }] }) })
  const { sentArgs } = await run(
    [
      { as: 'spec', name: 'get' },
      { name: 'use', arguments: { text: '${spec.text}', id: '${spec.cards.0.id}', count: '${spec.cards_count}' } },
    ],
    { get: short, use: answers({ ok: true }) },
  )
  expect(sentArgs[1]).toEqual({ text: 'ab', id: 'c', count: 1 })
})

test('stops at the first error, unless told otherwise', async () => {
  const calls = [{ name: 'bad' }, { name: 'good' }]
  const outcomes = { bad: refused, good: answers({ ok: true }) }
  const stopped = await run(calls, outcomes)
  expect(stopped.stopped).toBe(true)
  expect(stopped.value).toEqual({
    results: [{ name: 'bad', ok: false, error: { status: 409, detail: { error: 'BUSY' } } }],
    failed: 1,
  })
  const through = await run(calls, outcomes, { continue_on_error: true })
  expect(through).toMatchObject({ stopped: false, value: { failed: 1, results: [{ ok: false }, { ok: true }] } })
})

test('a reference to nothing is an error, and its call is not made', async () => {
  const { sentArgs, value } = await run([{ name: 'use', arguments: { id: '${nothing.id}' } }], {
    use: answers({}),
  })
  expect(sentArgs).toEqual([])
  expect(value).toMatchObject({ results: [{ ok: false, error: { status: 422, detail: [{ loc: ['id'] }] } }] })
})

test.each([
  ['fill in more than 4 MiB', Array.from({ length: 100 }, () => '${a.text}'), 84],
  ['fill in more than 4 MiB of one text', '${a.text} '.repeat(100), undefined],
  ['are more than 10,000', Array.from({ length: 10_001 }, () => '${a.n}'), 10_000],
])('references are refused that %s', async (_, items, index) => {
  const calls = [
    { as: 'a', name: 'get' },
    { name: 'use', arguments: { items } },
  ]
  const { sentArgs, value } = await run(calls, {
    get: answers({ n: 1, text: 'x'.repeat(49_500) }),
    use: answers({}),
  })
  expect(sentArgs).toHaveLength(1)
  const loc = ['items', ...(index === undefined ? [] : [index])]
  expect(value).toMatchObject({
    results: [{ ok: true }, { error: { status: 422, detail: [{ loc, type: 'too_long' }] } }],
  })
})

test('every reference to nothing is told, up to a hundred', async () => {
  const missing = (count: number) => ({
    name: 'use',
    arguments: { items: Array.from({ length: count }, () => '${b.x}') },
  })
  for (const [count, expected] of [
    [2, 2],
    [1_000, 100],
  ] as const) {
    const { value } = await run([missing(count)], { use: answers({}) })
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the answer is the subject
    expect((value as any).results[0].error.detail).toHaveLength(expected)
  }
})

test('arguments of more members than free JSON may have are refused', () => {
  const wide = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`k${index}`, 0]))
  for (const args of [wide, JSON.stringify(wide)]) {
    const { error } = RunOperations.safeParse({ calls: [{ name: 'use', arguments: args }] })
    expect(error!.issues).toMatchObject([{ path: ['calls', 0, 'arguments'], params: { type: 'too_long' } }])
  }
})

test('large values leave room for later ones', async () => {
  const large = answers({ text: 'x'.repeat(40_000) })
  const calls = Array.from({ length: 25 }, () => ({ name: 'large' }))
  const { value } = await run(calls, { large })
  expect(JSON.stringify(value).length).toBeLessThan(120_000)
})
