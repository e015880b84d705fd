import { foldedText } from '@specboard/storage'
import type { Scenario } from '../../planning/specs/items.ts'
import type { Db } from '../../schema/database.ts'
import { criteriaOf } from './references.ts'
import { leadingTo, type QuestionResult, type Row } from './result.ts'
import { type DiscoverySpec, readSpecs, specEntity } from './specs.ts'

/** Makes the test that decides which scenarios of a spec are kept. */
type Keeps = (spec: DiscoverySpec) => (scenario: Scenario) => boolean

async function scenariosThat(db: Db, boardId: string, keeps: Keeps): Promise<QuestionResult> {
  const specs = await readSpecs(db, boardId)
  const rows = specs.flatMap(spec =>
    spec.test_scenarios.filter(keeps(spec)).map(scenario => scenarioRow(scenario, spec)),
  )
  return { rows }
}

function scenarioRow(scenario: Scenario, spec: DiscoverySpec): Row {
  const { id, title, scenario_type, status, linked_task_ids, linked_criteria } = scenario
  const tasks = linked_task_ids?.length ?? 0
  return {
    id,
    type: 'TestScenario',
    title,
    summary: `${status} ${scenario_type} scenario of "${spec.title}", ${tasks === 1 ? '1 task' : `${tasks} tasks`}`,
    meta: {
      ...leadingTo(specEntity(spec)),
      spec_id: spec.id,
      scenario_id: id,
      scenario_type,
      scenario_status: status,
      linked_task_ids,
      linked_criteria,
    },
  }
}

/** Scenarios with a criterion whose entry or text contains a phrase, ignoring case. */
export function scenariosCovering(db: Db, boardId: string, phrase: string): Promise<QuestionResult> {
  const needle = foldedText(phrase)
  const mentions = (text: string) => foldedText(text).includes(needle)
  return scenariosThat(db, boardId, ({ acceptance_criteria }) => {
    const criterionOf = criteriaOf(acceptance_criteria)
    // A criterion that many scenarios reference is read once.
    const mentioning = new Set(acceptance_criteria.keys().filter(index => mentions(acceptance_criteria[index]!)))
    return ({ linked_criteria }) =>
      (linked_criteria ?? []).some(entry => {
        const index = criterionOf(entry)
        return (index !== undefined && mentioning.has(index)) || mentions(entry)
      })
  })
}

/** Scenarios that no card is linked to. */
export const scenariosWithoutTasks = (db: Db, boardId: string): Promise<QuestionResult> =>
  scenariosThat(
    db,
    boardId,
    () =>
      ({ linked_task_ids }) =>
        (linked_task_ids ?? []).length === 0,
  )
