/** Reads a `spec.md` (exchange 2.4). */
import type { TestScenario } from '@specboard/contract'
import type { z } from 'zod'
import { sectionsOf, takeItems, textOf, withHeading } from '../markdown.ts'
import { momentOf } from '../moments.ts'
import { joined } from '../records.ts'

type Scenario = z.output<typeof TestScenario>

export interface Specification {
  readonly title: string | null
  readonly created_at: string | null
  /** What has no field of its own, with its headings. */
  readonly description: string | null
  readonly functional_requirements: readonly string[]
  readonly acceptance_criteria: readonly string[]
  readonly scenarios: readonly StoryScenario[]
}

/** A test scenario; its id is `us1-1` for the first one of the first user story. */
export interface StoryScenario {
  readonly scenario: Scenario
  /** `US1` */
  readonly story: string
}

const titleHeading = /^Feature Specification:(.*)$/is
const storyHeading = /^User Story (?<number>\d+)(?<title>.*)$/is
const requirement = /^\s*[-*]\s+\*{0,2}(?:FR|SC)-\d+/i
const scenarioItem = /^\s*(?:\d+[.)]|[-*])\s+\*{0,2}Given\b/i
const created = /^\*\*Created\*\*:\s*(.+)$/m

/** The words that begin the steps of a scenario, each in bold or not. */
const stepWords = [/\*{0,2}Given\*{0,2}:?\s/i, /\s\*{0,2}When\*{0,2}:?\s/i, /\s\*{0,2}Then\*{0,2}:?\s/i]

export function specificationIn(lines: readonly string[]): Specification {
  const requirements: string[] = []
  const scenarios: StoryScenario[] = []
  const rest: string[] = []
  let title: string | null = null
  let story: { number: string; title: string } | undefined
  for (const section of sectionsOf({ lines, line: 1 }, 4)) {
    const heading = section.heading ?? ''
    const { number, title: storyTitle = '' } = storyHeading.exec(heading)?.groups ?? {}
    if (number !== undefined) story = { number, title: titleOfStory(storyTitle) }
    else if (section.level <= 2) story = undefined
    const required = takeItems(section, requirement)
    requirements.push(...required.items.map(({ text }) => text))
    const given = story === undefined ? undefined : takeItems(required.left, scenarioItem)
    for (const { text } of given?.items ?? []) scenarios.push(scenarioOf(text, story!, scenarios))
    const left = given?.left ?? required.left
    const named = titleHeading.exec(heading)?.[1]
    title ??= named?.trim() || null
    rest.push(named === undefined ? withHeading(left) : textOf(left))
  }
  const description = joined(rest)
  return {
    title,
    created_at: momentOf(created.exec(description ?? '')?.[1] ?? ''),
    description,
    functional_requirements: requirementsOf('FR', requirements),
    acceptance_criteria: requirementsOf('SC', requirements),
    scenarios,
  }
}

/** The title of a story without the mark before it and the priority behind it. */
const titleOfStory = (written: string): string =>
  written
    .trim()
    .replace(/^[-–—:]/, '')
    .split(/\(Priority:/i)[0]!
    .trim()

/** The texts after the colon. */
const requirementsOf = (kind: 'FR' | 'SC', items: readonly string[]): string[] =>
  items
    .filter(item => new RegExp(`^[-*]\\s+\\*{0,2}${kind}-`, 'i').test(item))
    .map(item =>
      item
        .slice(item.indexOf(':') + 1)
        .replace(/^\*\*/, '')
        .trim(),
    )
    .filter(text => text !== '')

/** An item without all three steps is a scenario whose text says what is given. */
function scenarioOf(
  item: string,
  story: { number: string; title: string },
  before: readonly StoryScenario[],
): StoryScenario {
  const name = `US${story.number}`
  const number = before.filter(scenario => scenario.story === name).length + 1
  const [given, when, then] = stepsOf(item) ?? [withoutMark(item), '', '']
  return {
    story: name,
    scenario: {
      id: `us${story.number}-${number}`,
      title: `${story.title || `User Story ${story.number}`}, scenario ${number}`,
      linked_criteria: null,
      scenario_type: 'integration',
      given,
      when,
      then,
      notes: null,
      status: 'draft',
      linked_task_ids: null,
      evidence: null,
      latest_evidence: null,
    },
  }
}

/** The texts of the three steps; undefined where one of their words is missing. */
function stepsOf(item: string): [given: string, when: string, then: string] | undefined {
  let rest = item
  const texts: string[] = []
  for (const word of stepWords) {
    const found = word.exec(rest)
    if (found === null) return undefined
    texts.push(rest.slice(0, found.index))
    rest = rest.slice(found.index + found[0].length)
  }
  const [, given = '', when = ''] = texts.map(text => text.trim().replace(/[,;.]$/, ''))
  return [given, when, rest.trimStart()]
}

const withoutMark = (item: string): string => item.replace(/^(?:\d+[.)]|[-*])\s+/, '')
