/** Requirements and scenarios of a `spec.md`, including one that describes a change (imports 5). */
import type { TestScenario } from '@specboard/contract'
import type { z } from 'zod'
import { type Section, sectionsOf, textOf, withHeading } from '../markdown.ts'
import { joined } from '../records.ts'
import { stepsIn } from './steps.ts'

type Scenario = z.output<typeof TestScenario>

export interface SpecFile {
  readonly title: string | null
  /** Everything that is neither a requirement nor a scenario, with its headings. */
  readonly description: string | null
  readonly requirements: readonly Requirement[]
  /** The heading lines of scenarios without a requirement; their texts are in the description. */
  readonly strayScenarios: readonly number[]
}

export interface Requirement {
  readonly name: string
  /** The operation of a change on it: `ADDED`, `MODIFIED`, `REMOVED`, `RENAMED`; null in the spec itself. */
  readonly operation: string | null
  readonly text: string
  readonly scenarios: readonly Pick<Scenario, 'title' | 'given' | 'when' | 'then' | 'notes'>[]
}

const requirementHeading = /^Requirement:\s*(\S.*)$/i
const scenarioHeading = /^Scenario:\s*(\S.*)$/i
const operationHeading = /^(ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements\b/i

export function specFileIn(lines: readonly string[]): SpecFile {
  const requirements: {
    name: string
    operation: string | null
    texts: string[]
    scenarios: Requirement['scenarios'][number][]
  }[] = []
  const rest: string[] = []
  const strayScenarios: number[] = []
  let title: string | null = null
  let operation: string | null = null
  let current: (typeof requirements)[number] | undefined
  for (const section of sectionsOf({ lines, line: 1 }, 4)) {
    const heading = section.heading ?? ''
    const name = requirementHeading.exec(heading)?.[1]
    const scenario = scenarioHeading.exec(heading)?.[1]
    if (section.level <= 2) {
      operation = operationHeading.exec(heading)?.[1]?.toUpperCase() ?? null
      current = undefined
    } else if (section.level === 3 && scenario === undefined) current = undefined
    if (name !== undefined) {
      current = { name: name.trim(), operation, texts: [textOf(section)], scenarios: [] }
      requirements.push(current)
    } else if (scenario !== undefined && current !== undefined)
      current.scenarios.push({ title: scenario.trim(), ...stepsIn(section.lines) })
    else if (current !== undefined && section.level > 3) current.texts.push(withHeading(section))
    else if (operation === 'RENAMED') requirements.push(...renamedIn(section))
    else if (section.level === 1 && title === null) {
      title = heading
      rest.push(textOf(section))
    } else {
      if (scenario !== undefined) strayScenarios.push(section.line - 1)
      rest.push(withHeading(section))
    }
  }
  return {
    title,
    strayScenarios,
    description: joined(rest),
    requirements: requirements.map(({ texts, ...requirement }) => ({
      ...requirement,
      text: joined([requirement.name, ...texts]) ?? requirement.name,
    })),
  }
}

const renaming = /^[ \t]*(?:[-*+][ \t]+)?(FROM|TO):(.*)$/i

/** The name in `### Requirement: Fence`, with or without surrounding marks. */
const nameIn = (text: string): string =>
  text
    .replaceAll('`', '')
    .trim()
    .replace(/^#{1,6}/, '')
    .trim()
    .replace(/^Requirement:/i, '')
    .trim()

/** Pairs of lines `FROM:` and `TO:`. */
function renamedIn(section: Section) {
  const renamed = []
  let from: string | undefined
  for (const line of section.lines) {
    const [, word, name = ''] = renaming.exec(line) ?? []
    if (word?.toUpperCase() === 'FROM') from = nameIn(name)
    else if (word !== undefined && from !== undefined) {
      renamed.push({ name: `${from} → ${nameIn(name)}`, operation: 'RENAMED', texts: [], scenarios: [] })
      from = undefined
    }
  }
  return renamed
}
