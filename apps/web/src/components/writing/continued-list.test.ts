import { expect, test } from 'vitest'
import { continuedList } from './continued-list.ts'

/** The text after Enter is pressed; a bar marks the caret. */
function afterEnter(marked: string): string | undefined {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const continued = continuedList(text, caret)
  if (continued === undefined) return undefined
  return `${text.slice(0, continued.from)}${continued.insert}|${text.slice(caret)}`
}

test.each([
  ['- one|', '- one\n- |'],
  ['* one|', '* one\n* |'],
  ['+ one|', '+ one\n+ |'],
  ['1. one|', '1. one\n2. |'],
  ['9) one|', '9) one\n10) |'],
  ['  - deep|', '  - deep\n  - |'],
  ['- [ ] open|', '- [ ] open\n- [ ] |'],
  ['- [x] done|', '- [x] done\n- [ ] |'],
  ['2. [X] done|', '2. [X] done\n3. [ ] |'],
  ['- one|two', '- one\n- |two'],
  ['before\n- one|\nafter', 'before\n- one\n- |\nafter'],
  // An empty item ends the list.
  ['- |', '|'],
  ['- one\n- |', '- one\n|'],
  ['1. one\n2. |\nafter', '1. one\n|\nafter'],
  ['- [ ] |', '|'],
])('goes on from %j', (before, after) => expect(afterEnter(before)).toBe(after))

test.each(['', '|', 'one|', '-one|', '-|', '1|', '1.|', '1234567890. one|', '- one\ntwo|', '> - one|'])(
  'leaves %j to the browser',
  text => expect(afterEnter(text)).toBeUndefined(),
)
