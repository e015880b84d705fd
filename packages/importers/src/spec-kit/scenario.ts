/** Scenarios of a user story, in any language (exchange 2.4, imports 5). */
import type { TestScenario } from '@specboard/contract'
import type { z } from 'zod'

export type Scenario = z.output<typeof TestScenario>

/** The parts of a scenario. */
interface Steps {
  readonly given: string
  readonly when: string
  readonly then: string
}

const listItem = /^\s*(?:\d{1,9}[.)]|[-*+])\s+(\S[\s\S]*)$/

/** Maximum number of characters of a bold word. */
const maxWordLength = 40

/** The positions of bold words; the template has three of them in every language. */
function boldWords(text: string): Word[] {
  const words: Word[] = []
  for (let start = text.indexOf('**'); start !== -1; ) {
    const end = text.indexOf('**', start + 2)
    if (end === -1) break
    const word = text.slice(start + 2, end)
    if (word !== '' && word.length <= maxWordLength && !word.includes('\n')) words.push({ start, end: end + 2 })
    start = text.indexOf('**', end + 2)
  }
  return words
}

/** Whether a line begins a scenario: with the word "Given", or with a bold word that two others follow. */
export function beginsScenario(line: string): boolean {
  const text = listItem.exec(line)?.[1]
  if (text === undefined) return false
  return /^\*{0,2}Given\b/i.test(text) || (text.startsWith('**') && boldWords(text).length >= 3)
}

/** A scenario from the text of its list item. Without the three steps, the whole text is the `given` part. */
export function scenarioOf(item: string, fields: Pick<Scenario, 'id' | 'title'>): Scenario {
  const text = listItem.exec(item)?.[1] ?? item
  return {
    ...fields,
    linked_criteria: null,
    scenario_type: 'integration',
    ...(englishSteps(text) ?? boldSteps(text) ?? { given: text, when: '', then: '' }),
    notes: null,
    status: 'draft',
    linked_task_ids: null,
    evidence: null,
    latest_evidence: null,
    tests: [],
  }
}

function englishSteps(text: string): Steps | undefined {
  const given = /^\*{0,2}Given\b\*{0,2}:?\s/i.exec(text)
  if (given === null) return undefined
  // If the words are bold, the same words in plain text mean nothing.
  const isBold = /\*\*When\*\*/i.test(text)
  const when = wordBehind(text, isBold ? /\*\*When\*\*:?\s/gi : /\bWhen\b:?\s/gi, given[0].length)
  const then = when && wordBehind(text, isBold ? /\*\*Then\*\*:?\s/gi : /\bThen\b:?\s/gi, when.end)
  if (when === undefined || then === undefined) return undefined
  return stepsAt(text, given[0].length, when, then)
}

interface Word {
  readonly start: number
  readonly end: number
}

function wordBehind(text: string, word: RegExp, from: number): Word | undefined {
  word.lastIndex = from
  const found = word.exec(text)
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length }
}

function boldSteps(text: string): Steps | undefined {
  const [first, second, third] = boldWords(text)
  if (first?.start !== 0 || second === undefined || third === undefined) return undefined
  return stepsAt(text, first.end, second, third)
}

const stepsAt = (text: string, from: number, when: Word, then: Word): Steps => ({
  given: step(text.slice(from, when.start)),
  when: step(text.slice(when.end, then.start)),
  then: text
    .slice(then.end)
    .replace(/^[:：]/, '')
    .trim(),
})

/** A step without the separator before the next one. */
const step = (text: string): string =>
  text
    .replace(/^[:：]/, '')
    .trim()
    .replace(/[,;.、，；]$/, '')
    .trimEnd()
