import type { TestScenario } from '@specboard/contract'
import type { z } from 'zod'
import type { Requirement } from './requirements.ts'

/** The scenarios of requirements, with ids made of both names, so that they do not depend on the order of a file. */
export function testScenarios(requirements: readonly Requirement[]): z.output<typeof TestScenario>[] {
  const used = new Map<string, number>()
  return requirements.flatMap(({ name, scenarios }) =>
    scenarios.map(({ notes, ...scenario }) => {
      const plain = slug(`${name} ${scenario.title}`)
      const number = (used.get(plain) ?? 0) + 1
      used.set(plain, number)
      return {
        ...scenario,
        id: number === 1 ? plain : `${plain}-${number}`,
        linked_criteria: null,
        scenario_type: 'integration' as const,
        notes: [`Requirement: ${name}`, notes].filter(text => text !== null).join('\n\n'),
        status: 'draft' as const,
        linked_task_ids: null,
        evidence: null,
        latest_evidence: null,
        tests: [],
      }
    }),
  )
}

/** Maximum number of characters of an id. */
const maxIdLength = 100

const slug = (text: string): string =>
  [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)]
    .map(([word]) => word)
    .join('-')
    .slice(0, maxIdLength) || 'scenario'
