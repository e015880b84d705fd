import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import { excerpt } from '../../lib/excerpt.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { criteriaOf, requirementsOf, uncovered } from './references.ts'
import { leadingTo, type QuestionResult, type Row } from './result.ts'
import { type DiscoverySpec, readSpecs, specEntity } from './specs.ts'

const kinds = {
  functional_requirement: { type: 'UncoveredFR', needs: 'a business rule' },
  acceptance_criterion: { type: 'UncoveredAC', needs: 'a test scenario' },
  technical_requirement: { type: 'UncoveredTR', needs: 'a card' },
} as const

/** A requirement, criterion or technical requirement of a spec that nothing covers. */
interface Gap {
  readonly kind: keyof typeof kinds
  readonly index: number
  readonly id: string
  readonly text: string
}

/**
 * The gaps of a spec: functional requirements without a rule, criteria without a scenario, and technical requirements
 * in object form without a card (planning 4.2).
 * @param counting ids of the counting cards
 */
export function gapsOf(spec: DiscoverySpec, counting: ReadonlySet<string>): Gap[] {
  const { functional_requirements, acceptance_criteria, technical_requirements } = spec
  const rules = spec.business_rules.flatMap(rule => rule.linked_requirements ?? [])
  const criteria = spec.test_scenarios.flatMap(scenario => scenario.linked_criteria ?? [])
  return [
    ...uncovered(functional_requirements, rules, requirementsOf).map(index => ({
      kind: 'functional_requirement' as const,
      index,
      id: `${spec.id}:fr:${index}`,
      text: functional_requirements[index]!,
    })),
    ...uncovered(acceptance_criteria, criteria, criteriaOf).map(index => ({
      kind: 'acceptance_criterion' as const,
      index,
      id: `${spec.id}:ac:${index}`,
      text: acceptance_criteria[index]!,
    })),
    ...technical_requirements.flatMap((item, index) =>
      typeof item === 'string' || item.linked_task_ids?.some(id => counting.has(id))
        ? []
        : [
            {
              kind: 'technical_requirement' as const,
              index,
              id: item.id === '' ? `${spec.id}:tr:${index}` : item.id,
              text: item.text,
            },
          ],
    ),
  ]
}

/** Whether the spec or its board skips the corresponding check of the spec's validation. */
const skipsCheck: Readonly<Record<Gap['kind'], (spec: DiscoverySpec, board: Settings) => boolean>> = {
  functional_requirement: (spec, board) => spec.skip_rules_coverage || board.skip_rules_coverage_global,
  acceptance_criterion: (spec, board) => spec.skip_test_coverage || board.skip_test_coverage_global,
  technical_requirement: (spec, board) => spec.skip_trs_coverage || board.skip_trs_coverage_global,
}

const countingCards = hot<{ board: string }, { id: string }>((db, param) =>
  db
    .selectFrom('cards')
    .select('id')
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .where('status', '!=', 'cancelled'),
)

/** The gaps of a board's specs that are neither archived nor cancelled. */
export async function uncoveredRequirements(db: Db, boardId: string): Promise<QuestionResult> {
  const settings = await boardSettings(db, boardId)
  const counting = new Set((await countingCards(db, { board: boardId })).map(card => card.id))
  const specs = (await readSpecs(db, boardId)).filter(spec => spec.status !== 'cancelled')
  return { rows: specs.flatMap(spec => gapsOf(spec, counting).map(gap => gapRow(gap, spec, settings))) }
}

function gapRow({ kind, index, id, text }: Gap, spec: DiscoverySpec, settings: Settings): Row {
  const { type, needs } = kinds[kind]
  return {
    id,
    type,
    title: excerpt(text, 160),
    summary: `${kind.replace('_', ' ')} ${index} of "${spec.title}" needs ${needs}`,
    meta: {
      ...leadingTo(specEntity(spec)),
      spec_id: spec.id,
      spec_status: spec.status,
      in_flight: spec.status !== 'done',
      kind,
      index,
      skipped_at_validation: skipsCheck[kind](spec, settings),
    },
  }
}
