import { code, oneLine, Page } from './page.ts'
import type { BodyOf, Reader } from './reader.ts'
import { designs, knowledge, mockups, moves, numbered, questions, recordLine } from './sections.ts'

export type Spec = BodyOf<'get_spec'>

const links = (ids: readonly string[] | null | undefined): string =>
  ids == null || ids.length === 0 ? ' [no card]' : ` [cards ${ids.map(code).join(', ')}]`

/** The scenarios as lines, with their linked cards. */
export const scenarioLines = (scenarios: Spec['test_scenarios']): string[] =>
  (scenarios ?? []).map(
    ({ id, title, status, given, when, then, linked_task_ids }) =>
      `- ${code(id)} ${oneLine(title)} (${status}): given ${oneLine(given ?? '')}, when ${oneLine(when ?? '')}, then ${oneLine(then ?? '')}${links(linked_task_ids)}`,
  )

/** The business rules as lines. */
export const ruleLines = (rules: Spec['business_rules']): string[] =>
  (rules ?? []).map(
    ({ id, title, rule, when, then, linked_task_ids }) =>
      `- ${code(id)} ${oneLine(title)}: ${oneLine(rule)}; when ${oneLine(when)}, then ${oneLine(then)}${links(linked_task_ids)}`,
  )

/** The API contracts as lines. */
export const contractLines = (contracts: Spec['api_contracts']): string[] =>
  (contracts ?? []).map(
    ({ id, method, path, description, linked_task_ids }) =>
      `- ${code(id)} ${method} ${path}${description ? `: ${oneLine(description)}` : ''}${links(linked_task_ids)}`,
  )

/** The technical requirements as lines. */
export const technicalLines = (requirements: Spec['technical_requirements']): string[] =>
  (requirements ?? []).map(entry =>
    typeof entry === 'string'
      ? `- ${oneLine(entry)}`
      : `- ${code(entry.id)} ${oneLine(entry.text)}${links(entry.linked_task_ids)}`,
  )

/** The decisions as lines, active ones first. */
export const decisionLines = (decisions: Spec['decisions']): string[] =>
  (decisions ?? [])
    .toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
    .map(
      ({ id, title, rationale, status, linked_task_ids }) =>
        `- ${code(id)} ${oneLine(title)} (${status}): ${oneLine(rationale)}${links(linked_task_ids)}`,
    )

interface Linkable {
  readonly linked_task_ids?: readonly string[] | null | undefined
}

const covered = (items: readonly (Linkable | string)[] | null): string | undefined => {
  const linkable = (items ?? []).filter(item => typeof item !== 'string')
  if (linkable.length === 0) return undefined
  return `${linkable.filter(item => (item.linked_task_ids ?? []).length > 0).length} of ${linkable.length} with a card`
}

/** A spec: its whole content, coverage by kind, last validation, moves and what blocks them (mcp 12). */
export async function specPage(reader: Reader, spec_id: string): Promise<string> {
  const rest = 'get_spec'
  const spec = await reader.body('get_spec', { spec_id })
  const targets = await reader.allowedTargets('move_spec', { spec_id }, spec.status)
  const page = new Page('Spec', spec.title, [spec.status, `v${spec.version}`, ...(spec.locked ? ['locked'] : [])])
  page.facts('Facts', {
    id: spec.id,
    board_id: spec.board_id,
    ideation_id: spec.ideation_id,
    refinement_id: spec.refinement_id,
    assignee_id: spec.assignee_id,
    labels: spec.labels,
    archived: spec.archived || undefined,
  })
  page.text('Description', spec.description, rest)
  page.text('Context', spec.context, rest)
  page.section('Functional requirements', numbered(spec.functional_requirements), rest)
  page.section('Technical requirements', technicalLines(spec.technical_requirements), rest)
  page.section('Acceptance criteria', numbered(spec.acceptance_criteria), rest)
  page.section('Test scenarios', scenarioLines(spec.test_scenarios), rest)
  page.section('Business rules', ruleLines(spec.business_rules), rest)
  page.section('API contracts', contractLines(spec.api_contracts), rest)
  page.section('Decisions', decisionLines(spec.decisions), rest)
  page.facts('Coverage', {
    scenarios: covered(spec.test_scenarios),
    'business rules': covered(spec.business_rules),
    'technical requirements': covered(spec.technical_requirements),
    'API contracts': covered(spec.api_contracts),
    decisions: covered(spec.decisions),
  })
  questions(page, spec.qa_items, 'list_spec_questions')
  page.section('Cards', spec.cards.map(recordLine), rest)
  await lastValidation(page, reader, spec)
  designs(page, spec.architecture_designs, 'list_spec_architecture')
  knowledge(page, spec.knowledge_bases, 'list_spec_knowledge')
  mockups(page, spec.screen_mockups, rest)
  moves(page, await reader.moves('move_spec', { spec_id }, targets), 'move_spec')
  return page.toString()
}

async function lastValidation(page: Page, reader: Reader, { id }: Spec): Promise<void> {
  const listed = await reader.optional('list_spec_validations', { spec_id: id })
  const last = listed?.validations[0]
  if (last === undefined) return
  page.facts('Last validation', {
    outcome: last.outcome,
    active: last.active,
    reviewer: last.reviewer_name,
    completeness: last.completeness,
    assertiveness: last.assertiveness,
    ambiguity: last.ambiguity,
    violations: last.threshold_violations,
    justification: last.general_justification,
  })
}
