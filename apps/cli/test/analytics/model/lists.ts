import type { Records } from '../records.ts'
import { of, reports } from './entities.ts'
import { count, isDone } from './formulas.ts'

const listed = ({
  id,
  title,
  status,
  created_at,
}: {
  id: string
  title: string
  status: string
  created_at: string
}) => ({
  id,
  title,
  status,
  created_at,
})

const newestFirst = <Row extends { created_at: string; id: string }>(rows: Row[]) =>
  rows.sort((a, b) => (a.created_at === b.created_at ? (a.id < b.id ? -1 : 1) : a.created_at < b.created_at ? 1 : -1))

/** The records of each kind in list order, newest first. */
export const lists = {
  ideation: ({ ideations, refinements, specs }: Records) =>
    newestFirst(
      ideations.map(ideation => ({
        ...listed(ideation),
        complexity: ideation.complexity,
        refinement_count: count(refinements, refinement => refinement.ideation_id === ideation.id),
        spec_count: count(specs, spec => spec.ideation_id === ideation.id),
      })),
    ),
  refinement: ({ refinements, specs }: Records) =>
    newestFirst(
      refinements.map(refinement => ({
        ...listed(refinement),
        ideation_id: refinement.ideation_id,
        version: refinement.version,
        spec_count: count(specs, spec => spec.refinement_id === refinement.id),
      })),
    ),
  spec: ({ specs, cards }: Records) =>
    newestFirst(
      specs.map(spec => ({
        ...listed(spec),
        ac_count: spec.acceptance_criteria?.length ?? 0,
        scenario_count: spec.test_scenarios?.length ?? 0,
        card_count: of(cards, 'spec_id', spec.id).length,
        rules_count: spec.business_rules?.length ?? 0,
        contracts_count: spec.api_contracts?.length ?? 0,
      })),
    ),
  sprint: ({ sprints, cards }: Records) =>
    newestFirst(
      sprints.map(sprint => {
        const own = of(cards, 'sprint_id', sprint.id)
        return {
          ...listed(sprint),
          spec_id: sprint.spec_id,
          card_count: own.length,
          done_count: count(own, isDone),
        }
      }),
    ),
  card: ({ cards }: Records) =>
    newestFirst(
      cards.map(card => ({
        ...listed(card),
        is_test: card.card_type === 'test',
        card_type: card.card_type,
        ...reports(card),
      })),
    ),
}
