/** Reads a `proposal.md`, which becomes an ideation (imports 5). */
import { sectionsOf, textOf, withHeading } from '../markdown.ts'
import { joined } from '../records.ts'

export interface Proposal {
  readonly title: string | null
  readonly problem_statement: string | null
  readonly proposed_approach: string | null
  /** Content without a field of its own, with its headings. */
  readonly description: string | null
}

const titlePrefix = /^(?:change proposal|proposal|change)\s*:\s*/i
const problem = /^(?:why|intent|problem|motivation)\b/i
const approach = /^(?:what changes|approach|solution|proposed solution)\b/i

export function proposalIn(lines: readonly string[]): Proposal {
  const texts: Record<'problem' | 'approach' | 'rest', string[]> = { problem: [], approach: [], rest: [] }
  let title: string | null = null
  let current: keyof typeof texts = 'rest'
  for (const section of sectionsOf({ lines, line: 1 }, 3)) {
    const heading = section.heading ?? ''
    if (section.level === 1 && title === null) {
      title = heading.replace(titlePrefix, '').trim() || null
      texts.rest.push(textOf(section))
      continue
    }
    const opens = section.level <= 2
    if (opens) current = problem.test(heading) ? 'problem' : approach.test(heading) ? 'approach' : 'rest'
    texts[current].push(opens && current !== 'rest' ? textOf(section) : withHeading(section))
  }
  return {
    title,
    problem_statement: joined(texts.problem),
    proposed_approach: joined(texts.approach),
    description: joined(texts.rest),
  }
}
