import { expect, test } from 'vitest'
import { succeeded, toolResult } from './results.ts'

const resultOf = (value: Readonly<Record<string, unknown>>) =>
  toolResult(succeeded({ value, text: JSON.stringify(value) }))

/** A tag character, a bidirectional control and a zero-width one. */
const unseen = '\u{E0041}\u202e\u200b'
const spelledOut = '\\udb40\\udc41\\u202e\\u200b'

const hasUnseen = (text: string) => /[\u202e\u200b\u{E0000}-\u{E007F}]/u.test(text)

test('unseen characters are escapes in the text, and spelled out in the structured content (walls 9)', () => {
  const value = {
    title: `a${unseen}b`,
    labels: [unseen],
    free: { [`k${unseen}`]: { depth: `x${unseen}` } },
    count: 1,
    none: null,
  }
  const { content, structuredContent } = resultOf(value)
  const [block] = content
  expect(block).toMatchObject({ type: 'text' })
  const text = block?.type === 'text' ? block.text : ''
  expect(hasUnseen(text)).toBe(false)
  expect(JSON.parse(text)).toEqual(value)
  expect(structuredContent).toEqual({
    title: `a${spelledOut}b`,
    labels: [spelledOut],
    free: { [`k${spelledOut}`]: { depth: `x${spelledOut}` } },
    count: 1,
    none: null,
  })
  expect(hasUnseen(JSON.stringify(structuredContent))).toBe(false)
})

test('lines, tabs and pictures stay as they are, and a value without unseen characters is not copied', () => {
  const value = { text: 'one\ntwo\tthree ❤️' }
  expect(resultOf(value).structuredContent).toBe(value)
  const mixed = { text: `one\ntwo ❤️${unseen}` }
  expect(resultOf(mixed).structuredContent).toEqual({ text: `one\ntwo ❤️${spelledOut}` })
})
