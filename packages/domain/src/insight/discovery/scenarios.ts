import { foldedText } from '@specboard/storage'
import type { Scenario } from '../../planning/specs/items.ts'
import type { Db } from '../../schema/database.ts'
import { criterionOf } from './references.ts'
import { type Found, leadingTo, type Row } from './result.ts'
import { type AskedSpec, readSpecs, specEntity } from './specs.ts'

type Keeps = (scenario: Scenario, spec: AskedSpec) => boolean

async function scenariosThat(db: Db, boardId: string, keeps: Keeps): Promise<Found> {
  const specs = await readSpecs(db, boardId)
  const rows = specs.flatMap(spec =>
    spec.test_scenarios.filter(scenario => keeps(scenario, spec)).map(scenario => scenarioRow(scenario, spec)),
  )
  return { rows }
}

function scenarioRow(scenario: Scenario, spec: AskedSpec): Row {
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
export function scenariosCovering(db: Db, boardId: string, phrase: string): Promise<Found> {
  const wanted = foldedText(phrase)
  const mentions = (text: string | undefined) => text !== undefined && foldedText(text).includes(wanted)
  return scenariosThat(db, boardId, ({ linked_criteria }, { acceptance_criteria }) =>
    (linked_criteria ?? []).some(entry => {
      const index = criterionOf(acceptance_criteria, entry)
      return mentions(entry) || (index !== undefined && mentions(acceptance_criteria[index]))
    }),
  )
}

/** Scenarios that no card is linked to. */
export const scenariosWithoutTasks = (db: Db, boardId: string): Promise<Found> =>
  scenariosThat(db, boardId, ({ linked_task_ids }) => (linked_task_ids ?? []).length === 0)
