import { Page } from './page.ts'
import type { Reader } from './reader.ts'
import { designs, knowledge, mockups, moves, questions, recordLine } from './sections.ts'

/** An ideation: text, scope, open questions, children, allowed moves (mcp 12). */
export async function ideationPage(reader: Reader, ideation_id: string): Promise<string> {
  const rest = 'get_ideation'
  const ideation = await reader.body('get_ideation', { ideation_id })
  const targets = await reader.allowedTargets('move_ideation', { ideation_id }, ideation.status)
  const page = new Page('Ideation', ideation.title, [ideation.status, `v${ideation.version}`])
  page.facts('Facts', {
    id: ideation.id,
    board_id: ideation.board_id,
    complexity: ideation.complexity,
    assignee_id: ideation.assignee_id,
    labels: ideation.labels,
    archived: ideation.archived || undefined,
  })
  page.text('Description', ideation.description, rest)
  page.text('Problem statement', ideation.problem_statement, rest)
  page.text('Proposed approach', ideation.proposed_approach, rest)
  page.facts('Scope assessment', ideation.scope_assessment ?? {})
  questions(page, ideation.qa_items, 'list_ideation_questions')
  page.section('Refinements', ideation.refinements.map(recordLine), 'list_refinements')
  page.section('Specs', ideation.specs.map(recordLine), rest)
  designs(page, ideation.architecture_designs, 'list_ideation_architecture')
  knowledge(page, ideation.knowledge_bases, rest)
  mockups(page, ideation.screen_mockups, rest)
  moves(page, await reader.moves('move_ideation', { ideation_id }, targets), 'move_ideation')
  return page.toString()
}

/** A refinement: text, scope, open questions, specs, allowed moves (mcp 12). */
export async function refinementPage(reader: Reader, refinement_id: string): Promise<string> {
  const rest = 'get_refinement'
  const refinement = await reader.body('get_refinement', { refinement_id })
  const targets = await reader.allowedTargets('move_refinement', { refinement_id }, refinement.status)
  const page = new Page('Refinement', refinement.title, [refinement.status, `v${refinement.version}`])
  page.facts('Facts', {
    id: refinement.id,
    board_id: refinement.board_id,
    ideation_id: refinement.ideation_id,
    assignee_id: refinement.assignee_id,
    labels: refinement.labels,
    archived: refinement.archived || undefined,
  })
  page.text('Description', refinement.description, rest)
  page.section('In scope', bullets(refinement.in_scope), rest)
  page.section('Out of scope', bullets(refinement.out_of_scope), rest)
  page.text('Analysis', refinement.analysis, rest)
  page.section('Decisions', bullets(refinement.decisions), rest)
  questions(page, refinement.qa_items, 'list_refinement_questions')
  page.section('Specs', refinement.specs.map(recordLine), rest)
  designs(page, refinement.architecture_designs, 'list_refinement_architecture')
  knowledge(page, refinement.knowledge_bases, 'list_refinement_knowledge')
  mockups(page, refinement.screen_mockups, rest)
  moves(page, await reader.moves('move_refinement', { refinement_id }, targets), 'move_refinement')
  return page.toString()
}

const bullets = (texts: readonly string[] | null): string[] => (texts ?? []).map(text => `- ${text}`)

/** A sprint: goal, cards by status, evaluation state (mcp 12). */
export async function sprintPage(reader: Reader, sprint_id: string): Promise<string> {
  const rest = 'get_sprint'
  const sprint = await reader.body('get_sprint', { sprint_id })
  const targets = await reader.allowedTargets('move_sprint', { sprint_id }, sprint.status)
  const page = new Page('Sprint', sprint.title, [sprint.status, `v${sprint.version}`])
  page.facts('Facts', {
    id: sprint.id,
    board_id: sprint.board_id,
    spec_id: sprint.spec_id,
    start_date: sprint.start_date,
    end_date: sprint.end_date,
    done: `${sprint.cards_done} of ${sprint.cards_total} cards`,
    labels: sprint.labels,
    archived: sprint.archived || undefined,
  })
  page.text('Objective', sprint.objective, rest)
  page.text('Expected outcome', sprint.expected_outcome, rest)
  page.text('Description', sprint.description, rest)
  for (const [status, cards] of Map.groupBy(sprint.cards, card => card.status))
    page.section(`Cards ${status}`, cards.map(recordLine), rest)
  page.section(
    'Evaluations',
    (sprint.evaluations ?? [])
      .filter(({ stale }) => !stale)
      .map(
        ({ evaluator_name, recommendation, overall_score }) =>
          `- ${evaluator_name}: ${recommendation}, ${overall_score}`,
      ),
    rest,
  )
  moves(page, await reader.moves('move_sprint', { sprint_id }, targets), 'move_sprint')
  return page.toString()
}
