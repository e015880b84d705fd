import { atOnce, operationByName, parseInPieces, parseInput, registry } from '@specboard/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generatedBody } from './support/generated-body.ts'

const withBody = registry.flatMap(({ name, body }) => (body === undefined ? [] : [[name, body] as const]))

describe.each(withBody)('%s', (_, body) => {
  test('a body that is parsed in pieces gives the same result as its schema alone', () => {
    fc.assert(
      fc.property(generatedBody(body), value => {
        const whole = body.safeParse(value)
        const pieces = atOnce(parseInPieces(body, value, Number.MAX_SAFE_INTEGER))
        expect(pieces.ok).toBe(whole.success)
        if (pieces.ok) expect(pieces.value).toStrictEqual(whole.data)
        else expect(pieces.issues).toEqual(whole.error!.issues)
      }),
      { numRuns: 40 },
    )
  })
})

const parsed = (name: string, body: unknown) => {
  const result = parseInput(operationByName.get(name)!, { params: { board_id: 'b' }, query: {}, body })
  return result.ok ? [] : result.items
}

test('the first hundred faults are reported, and that there are more (trust 1)', () => {
  const wrong = (count: number) => parsed('create_spec', { title: 'x', labels: Array.from({ length: count }, () => 0) })
  expect(wrong(100)).toHaveLength(100)
  const items = wrong(101)
  expect(items).toHaveLength(101)
  expect(items.at(-1)).toMatchObject({ loc: ['body'], type: 'too_many_errors' })
  expect(items[99]).toMatchObject({ loc: ['body', 'labels', 99], type: 'string_type' })
})

test.each([null, 0, {}, []])('a scope that holds %j is refused, not judged as text', value => {
  const body = operationByName.get('create_refinement')!.body!
  const input = { title: 'x', in_scope: [value] }
  const pieces = atOnce(parseInPieces(body, input, Number.MAX_SAFE_INTEGER))
  expect(pieces.ok === false && pieces.issues).toEqual(body.safeParse(input).error!.issues)
})

test('a label that is sent twice has its faults in each place, as in a small body', () => {
  const body = operationByName.get('create_card')!.body!
  const value = { title: 'x', labels: [0, 0] }
  const pieces = atOnce(parseInPieces(body, value, Number.MAX_SAFE_INTEGER))
  expect(pieces).toEqual({ ok: false, issues: body.safeParse(value).error!.issues })
})
