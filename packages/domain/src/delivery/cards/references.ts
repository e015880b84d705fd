import { archived, refuseArchivedSprint } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, invalid } from '../../kernel/errors.ts'
import { type CardSpec, type CardSprint, findCardSpec, findCardSprint } from './gates/facts.ts'

/**
 * The spec to put a card on.
 * @throws DomainError VALIDATION_ERROR when the board has no such spec
 */
export async function specOfBoard(ctx: Context, boardId: string, specId: string): Promise<CardSpec> {
  const spec = await findCardSpec(ctx.db, specId)
  if (spec !== undefined && spec.board_id === boardId) return spec
  throw invalid('spec_id', `This board has no spec ${specId}. list_specs lists its specs.`)
}

/**
 * Refuses to put a card on an archived spec.
 * @throws DomainError ARCHIVED
 */
export function refuseArchivedSpec(spec: CardSpec): void {
  if (spec.archived)
    throw archived({ type: 'spec', id: spec.id, board_id: spec.board_id }, { type: 'spec', id: spec.id })
}

/**
 * The given scenario ids without repeats, if all are scenarios of the spec.
 * @throws DomainError VALIDATION_ERROR with `unknown` and `available`
 */
export function scenariosOfSpec(spec: CardSpec | null, ids: readonly string[] | null | undefined): string[] {
  const requested = [...new Set(ids ?? [])]
  const available = spec?.test_scenarios.map(scenario => scenario.id) ?? []
  const availableIds = new Set(available)
  const unknown = requested.filter(id => !availableIds.has(id))
  if (unknown.length === 0) return requested
  throw invalid('test_scenario_ids', `The card's spec has no test scenario ${unknown.join(', ')}.`, {
    unknown,
    available,
  })
}

/**
 * The sprint to put a card into.
 * @throws DomainError VALIDATION_ERROR when it is not a sprint of the card's spec
 */
export async function sprintOfSpec(ctx: Context, specId: string | null, sprintId: string): Promise<CardSprint> {
  const sprint = await findCardSprint(ctx.db, sprintId)
  if (sprint !== undefined && sprint.spec_id === specId) return sprint
  throw invalid('sprint_id', `The card's spec has no sprint ${sprintId}. list_spec_sprints lists its sprints.`)
}

const ended: ReadonlySet<string> = new Set(['closed', 'cancelled'])

/**
 * Refuses a sprint that accepts no cards, like assign_sprint_tasks.
 * @throws DomainError ARCHIVED, INVALID_STATE with `status`
 */
export function refuseEndedSprint(sprint: CardSprint): void {
  refuseArchivedSprint(sprint)
  const { status } = sprint
  if (ended.has(status)) throw blocked('INVALID_STATE', `The sprint is ${status} and takes no more cards.`, { status })
}
