import type { BodyOf, Reader } from '../calls/reader.ts'
import { entry } from './entry.ts'
import { Page } from './page.ts'
import { code, quoted } from './quoting.ts'

/** A board: columns with cards, active sprint, blockers, gates in force (mcp 12). */
export async function boardPage(reader: Reader, board_id: string): Promise<string> {
  const board = await reader.body('get_board', { board_id })
  const page = new Page('Board', board.name)
  page.facts('Facts', { id: board.id, key: board.key, owner_id: board.owner_id })
  page.text('Description', board.description, { by: board.owner_id, at: board.updated_at }, 'get_board')
  const sprints = await reader.optional('list_board_sprints', { board_id, status: 'active' })
  page.section(
    'Running sprints',
    (sprints ?? []).map(({ id, title, cards_done, cards_total, objective, created_by, updated_at }) =>
      entry(`- ${code(id)} ${quoted(title)} (${cards_done} of ${cards_total} cards done)`, {
        name: 'Objective',
        text: objective,
        by: created_by,
        at: updated_at,
      }),
    ),
    'list_board_sprints',
  )
  const open = board.cards.filter(card => !card.archived)
  for (const [status, cards] of Map.groupBy(open, card => card.status))
    page.section(
      `Cards ${status}`,
      cards.map(
        card =>
          `- ${code(card.id)} ${quoted(card.title)} (${card.status}${card.assignee_id === null ? '' : `, ${code(card.assignee_id)}`})`,
      ),
      'get_board_columns',
    )
  blockers(page, open)
  gates(page, board.settings)
  return page.toString()
}

/** Adds the cards on hold and the cards that wait for an open card. */
function blockers(page: Page, cards: BodyOf<'get_board'>['cards']): void {
  const open = new Set(cards.filter(({ status }) => status !== 'done' && status !== 'cancelled').map(({ id }) => id))
  const lines = cards
    .filter(({ id }) => open.has(id))
    .map(card => {
      const waits = card.dependencies.filter(id => open.has(id))
      if (waits.length > 0) return `- ${code(card.id)} ${quoted(card.title)} waits for ${waits.map(code).join(', ')}`
      return card.status === 'on_hold' ? `- ${code(card.id)} ${quoted(card.title)} is on hold` : undefined
    })
  page.section('Blockers', lines, 'get_blockers_analytics')
}

function gates(page: Page, settings: BodyOf<'get_board'>['settings']): void {
  const coverage = {
    test: settings.skip_test_coverage_global,
    rules: settings.skip_rules_coverage_global,
    'technical requirements': settings.skip_trs_coverage_global,
    contracts: settings.skip_contract_coverage_global,
    decisions: settings.skip_decisions_coverage_global,
  }
  const covered = Object.entries(coverage)
    .filter(([, skipped]) => !skipped)
    .map(([name]) => name)
  page.section(
    'Gates in force',
    [
      covered.length === 0 ? undefined : `- spec coverage: ${covered.join(', ')}`,
      settings.require_spec_validation
        ? `- spec validation: completeness >= ${settings.min_spec_completeness}, assertiveness >= ${settings.min_spec_assertiveness}, ambiguity <= ${settings.max_spec_ambiguity}`
        : undefined,
      settings.require_task_validation
        ? `- task validation: confidence >= ${settings.min_confidence}, completeness >= ${settings.min_completeness}, drift <= ${settings.max_drift}`
        : undefined,
      settings.require_test_task_for_bug
        ? `- a bug of severity ${settings.bug_test_gate_min_severity} or more needs a test card`
        : undefined,
      settings.skip_test_evidence_global ? undefined : '- a scenario that was run needs evidence',
      `- at most ${settings.max_scenarios_per_card} scenarios per card`,
    ],
    'get_board',
  )
}

/** The guidelines in force on a board, in priority order (mcp 12). */
export async function guidelinesPage(reader: Reader, board_id: string): Promise<string> {
  const listed = await reader.body('list_board_guidelines', { board_id, limit: 200 })
  const page = new Page(`Guidelines of board ${code(board_id)}`)
  for (const { guideline, priority, scope } of listed)
    page.section(
      `Guideline ${code(guideline.id)}`,
      [
        entry(`- ${quoted(guideline.title)} (${scope}, priority ${priority})`, {
          name: 'Content',
          text: guideline.content,
          by: guideline.owner_id,
          at: guideline.updated_at,
        }),
      ],
      'get_guideline',
    )
  return page.toString()
}

/** The caller: its identity, its permissions in words, its boards (mcp 12). */
export async function mePage(reader: Reader): Promise<string> {
  const me = await reader.body('get_my_permissions', {})
  const page = new Page('Agent', me.agent_name)
  page.facts(
    'Facts',
    {
      id: me.agent_id,
      'preset id': me.preset_id,
      customized: me.customized,
      'cards held': await reader.heldCards(),
    },
    { preset: me.preset_name },
  )
  const permissions = Object.entries(me.flags)
    .filter(([name, allowed]) => allowed && !name.includes('_WRITE_IN_'))
    .map(([name]) => name)
  const byResource = Map.groupBy(permissions, name => resourceOf(name))
  page.section(
    'May do',
    [...byResource].map(
      ([resource, names]) => `- ${resource}: ${names.map(name => words(name.slice(resource.length + 1))).join(', ')}`,
    ),
    'get_my_permissions',
  )
  const boards = (await reader.optional('list_boards', { limit: 200 })) ?? []
  page.section(
    'Boards',
    boards.map(
      ({ key, name, access, card_count, spec_count }) =>
        `- ${code(key)} ${quoted(name)} (${access}, ${card_count} cards, ${spec_count} specs)`,
    ),
    'list_boards',
  )
  return page.toString()
}

const resourceOf = (permission: string) => permission.split('_')[0]!
const words = (action: string) => action.toLowerCase().replaceAll('_', ' ')
