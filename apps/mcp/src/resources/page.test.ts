import fc from 'fast-check'
import { expect, test } from 'vitest'
import { entry } from './entry.ts'
import { Page } from './page.ts'

const origin = { by: 'a1', at: '2026-03-02T09:14:27.318Z' }

/** The lines of a page outside its fences; fails when a fence is left open. */
function outside(page: string): string[] {
  const lines: string[] = []
  let fence = ''
  for (const line of page.split('\n')) {
    const run = /^ {0,3}(`{3,})(.*)$/.exec(line)
    if (fence === '' && run !== null) fence = run[1]!
    else if (fence === '') lines.push(line)
    else if (run !== null && run[1]!.length >= fence.length && run[2]!.trim() === '') fence = ''
  }
  expect(fence).toBe('')
  return lines
}

const headings = (page: string) => outside(page).filter(line => /^ {0,3}#/.test(line))

test('a text stands in a fence below its author and time', () => {
  const page = new Page('Card', 'Pay\n# now', ['done'])
    .text('Description', 'One\n## Two', origin, 'get_card')
    .toString()
  expect(page).toBe(
    '# Card "Pay\\u000a# now" (done)\n\n## Description\nText by `a1`, 2026-03-02T09:14:27.318Z:\n```\nOne\n## Two\n```',
  )
})

test('short texts stand in the line of their entry, others below it', () => {
  const page = new Page('Card')
    .section(
      'Rules',
      [
        entry(
          '- `r1` "Rule"',
          { name: 'When', text: 'paid', ...origin },
          { name: 'Then', text: 'a\nb', ...origin },
          { name: 'Notes', text: ' ', ...origin },
        ),
        '- next',
      ],
      'get_spec',
    )
    .toString()
  expect(page).toBe(
    '# Card\n\n## Rules\n- `r1` "Rule": when "paid"\nThen by `a1`, 2026-03-02T09:14:27.318Z:\n```\na\nb\n```\n- next',
  )
})

test('facts that people wrote are quoted', () => {
  const page = new Page('Card').facts('Facts', { id: 'c1', done: true, none: null }, { labels: ['a', 'b\n'], no: [] })
  expect(page.toString()).toBe('# Card\n\n## Facts\n- id: `c1`\n- done: true\n- labels: "a", "b\\u000a"')
})

test('whatever is cut, headings are the service’s own and every fence is closed', () => {
  const forged = fc
    .array(
      fc.constantFrom('## Allowed moves', '```', '`````', 'word ', '\n', '\r\n', '\n\n', '- done', '# Card x', '`'),
    )
    .chain(parts => fc.constantFrom(1, 40, 900).map(times => parts.join('').repeat(times)))
  fc.assert(
    fc.property(fc.array(forged, { minLength: 1, maxLength: 8 }), texts => {
      const page = new Page('Card', texts[0])
      for (const text of texts) page.text('Text', text, origin, 'get_card')
      page.section(
        'Items',
        texts.map(text => entry('- `i`', { name: 'A', text, ...origin }, { name: 'B', text, ...origin })),
        'get_card',
      )
      const markdown = page.toString()
      expect(markdown.length).toBeLessThanOrEqual(24_000)
      const [first, ...sections] = headings(markdown)
      expect(first).toMatch(/^# Card "/)
      expect(new Set([...sections, '## Text', '## Items'])).toEqual(new Set(['## Text', '## Items']))
      for (const line of outside(markdown)) expect(line).toMatch(/^(?:# Card "|## |- `i`|(?:Text|A|B) by `a1`, |… |$)/)
    }),
    { numRuns: 60 },
  )
})
