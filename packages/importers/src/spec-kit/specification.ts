/** Reads a `spec.md` (exchange 2.4, imports 5). */
import { type Section, sectionsOf, takeItems, textOf, withHeading } from '../markdown.ts'
import { momentOf } from '../moments.ts'
import { joined } from '../records.ts'
import { type Story, storyIn, titleIn } from './headings.ts'
import { beginsScenario, type Scenario, scenarioOf } from './scenario.ts'

export interface Specification {
  readonly title: string | null
  readonly created_at: string | null
  /** Content without a field of its own, with its headings. */
  readonly description: string | null
  readonly functional_requirements: readonly string[]
  readonly acceptance_criteria: readonly string[]
  readonly scenarios: readonly StoryScenario[]
  /** The line of the first heading, if no heading has the meaning or the form of one in the template. */
  readonly unknownHeadings: number | null
}

/** A test scenario; its id is `us1-1` for the first one of the first user story. */
export interface StoryScenario {
  readonly scenario: Scenario
  /** `US1`; null without a story. */
  readonly story: string | null
}

/** A requirement or success criterion with its id: `- **FR-001**: …`. */
const requirement =
  /^\s*(?<item>(?:[-*+]|\d{1,9}[.)])\s+)?(?<open>[*_`[]{0,4})(?<id>(?:FR|SC)-(?:[A-Za-z]{1,12}-)?\d{1,6}[a-z]?)(?<close>:?[*_`\]]{0,4}:?)(?<next>[\p{L}\p{N}-]?)/iu

/**
 * The requirement at the start of a text, and where its own text starts; undefined for a longer word that begins like
 * an id.
 */
function requirementIn(text: string) {
  const found = requirement.exec(text)
  const { item, open = '', id = '', close = '', next = '' } = found?.groups ?? {}
  if (found === null || (close === '' && next !== '')) return undefined
  return { item, open, id, close, rest: text.slice(found[0].length - next.length) }
}

/** Whether a line begins a requirement; text that only mentions one has neither a list mark nor bold. */
function beginsRequirement(line: string): boolean {
  const found = requirementIn(line)
  return found !== undefined && (found.item !== undefined || found.open !== '' || found.close.includes(':'))
}

export function specificationIn(lines: readonly string[]): Specification {
  const reader = new SpecReader()
  for (const section of sectionsOf({ lines, line: 1 }, 4)) reader.read(section)
  return reader.done()
}

class SpecReader {
  readonly #requirements: string[] = []
  readonly #scenarios: StoryScenario[] = []
  readonly #rest: string[] = []
  #title: string | null = null
  #story: Story | undefined
  #firstHeading: number | null = null
  #knowsHeading = false

  read(section: Section): void {
    const { heading, level, line } = section
    const hasScenarios = section.lines.some(beginsScenario)
    const story = level >= 2 ? storyIn(heading ?? '', hasScenarios) : undefined
    if (story !== undefined) this.#story = story
    else if (level <= 2) this.#story = undefined
    if (level >= 2) this.#firstHeading ??= line - 1
    if (story !== undefined || templateHeading.test(heading ?? '')) this.#knowsHeading = true
    const isTitle = level === 1 && this.#title === null
    if (isTitle) this.#title = titleIn(heading!) || null
    const rest = this.#takeScenarios(this.#takeRequirements(section))
    this.#rest.push(isTitle ? textOf(rest) : withHeading(rest))
  }

  done(): Specification {
    const description = joined(this.#rest)
    const knows = this.#knowsHeading || this.#requirements.length > 0 || this.#scenarios.length > 0
    return {
      title: this.#title,
      created_at: createdIn(description ?? ''),
      description,
      functional_requirements: this.#requirements.filter(text => /^FR/i.test(text)),
      acceptance_criteria: this.#requirements.filter(text => /^SC/i.test(text)),
      scenarios: this.#scenarios,
      unknownHeadings: knows ? null : this.#firstHeading,
    }
  }

  #takeRequirements(section: Section): Section {
    const { heading } = section
    if (heading !== null && beginsRequirement(`- ${heading}`)) {
      this.#requirements.push(requirementText(`- ${heading}\n\n${textOf(section)}`))
      return { ...section, lines: [] }
    }
    const { items, rest } = takeItems(section, beginsRequirement)
    this.#requirements.push(...items.map(requirementText))
    return rest
  }

  #takeScenarios(section: Section): Section {
    const { items, rest } = takeItems(section, beginsScenario)
    for (const text of items) this.#scenarios.push(this.#scenario(text))
    return rest
  }

  #scenario(text: string): StoryScenario {
    const name = this.#story === undefined ? null : `US${this.#story.number}`
    const number = this.#scenarios.filter(({ story }) => story === name).length + 1
    const title = this.#story === undefined ? 'Acceptance' : this.#story.title || `User Story ${this.#story.number}`
    const id = name === null ? `scenario-${number}` : `${name.toLowerCase()}-${number}`
    return { story: name, scenario: scenarioOf(text, { id, title: `${title}, scenario ${number}` }) }
  }
}

/** Headings of the template. */
const templateHeading =
  /^(?:user scenarios|user story|edge cases|requirements|functional requirements|key entities|success criteria|acceptance scenarios|assumptions|clarifications|review)/i

/** The full text of a requirement with its id, without the list mark and the formatting of the id (imports 1). */
function requirementText(text: string): string {
  const found = requirementIn(text)
  if (found === undefined) return text
  const { open, id, close, rest } = found
  const isBoldBehind = open.includes('**') && !close.includes('**')
  return `${id}${close.includes(':') ? ':' : ''}${isBoldBehind ? rest.replace('**', '') : rest}`.trim()
}

const headLine = /^(?:[-*] )?\*\*([^*]{1,40})\*\*(.*)$/

/** The time in the lines above the first heading: the one labelled "Created", or, in other languages, the first. */
function createdIn(description: string): string | null {
  const lines = description.split('\n')
  const head = lines.slice(
    0,
    Math.max(
      0,
      lines.findIndex(line => line.startsWith('#')),
    ) || lines.length,
  )
  const named = head.flatMap(line => {
    const [, name, value = ''] = headLine.exec(line) ?? []
    return name === undefined ? [] : [{ name, moment: momentOf(value.replace(/^\s*[:：]/, '')) }]
  })
  const isEnglish = named.some(({ name }) => /^(?:feature branch|status|input|created)/i.test(name))
  const time = named.find(({ name, moment }) => (isEnglish ? /^created/i.test(name) : moment !== null))
  return time?.moment ?? null
}
