import type { BodyOf, Reader } from '../calls/reader.ts'
import { type Entry, entry } from './entry.ts'
import { KnownNames, type OriginOf } from './known.ts'
import { Page } from './page.ts'
import { proofLine } from './proof-line.ts'
import { code, quoted } from './quoting.ts'
import { designs, knowledge, mockups, moves, numbered, questions, recordLine } from './sections.ts'

export type Spec = BodyOf<'get_spec'>

const links = (ids: readonly string[] | null | undefined): string =>
  ids == null || ids.length === 0 ? ' [no card]' : ` [cards ${ids.map(code).join(', ')}]`

/** The scenarios, with their linked cards. */
export const scenarioEntries = (scenarios: Spec['test_scenarios'], origin: OriginOf): Entry[] =>
  (scenarios ?? []).map(({ id, title, status, given, when, then, linked_task_ids }) =>
    entry(
      `- ${code(id)} ${quoted(title)} (${status})${links(linked_task_ids)}`,
      { name: 'Given', text: given, ...origin(id) },
      { name: 'When', text: when, ...origin(id) },
      { name: 'Then', text: then, ...origin(id) },
    ),
  )

/** The business rules, with their linked cards. */
export const ruleEntries = (rules: Spec['business_rules'], origin: OriginOf): Entry[] =>
  (rules ?? []).map(({ id, title, rule, when, then, linked_task_ids }) =>
    entry(
      `- ${code(id)} ${quoted(title)}${links(linked_task_ids)}`,
      { name: 'Rule', text: rule, ...origin(id) },
      { name: 'When', text: when, ...origin(id) },
      { name: 'Then', text: then, ...origin(id) },
    ),
  )

/** The API contracts, with their linked cards. */
export const contractEntries = (contracts: Spec['api_contracts'], origin: OriginOf): Entry[] =>
  (contracts ?? []).map(({ id, method, path, description, linked_task_ids }) =>
    entry(`- ${code(id)} ${quoted(`${method} ${path}`)}${links(linked_task_ids)}`, {
      name: 'Description',
      text: description,
      ...origin(id),
    }),
  )

/** The technical requirements, with their linked cards. */
export const technicalEntries = (requirements: Spec['technical_requirements'], origin: OriginOf): Entry[] =>
  (requirements ?? []).map((item, index) =>
    typeof item === 'string'
      ? entry(`- [${index}]`, { name: 'Text', text: item, ...origin() })
      : entry(`- ${code(item.id)}${links(item.linked_task_ids)}`, {
          name: 'Text',
          text: item.text,
          ...origin(item.id),
        }),
  )

/** The decisions, active ones first. */
export const decisionEntries = (decisions: Spec['decisions'], origin: OriginOf): Entry[] =>
  (decisions ?? [])
    .toSorted((a, b) => Number(a.status !== 'active') - Number(b.status !== 'active'))
    .map(({ id, title, rationale, status, linked_task_ids }) =>
      entry(`- ${code(id)} ${quoted(title)} (${status})${links(linked_task_ids)}`, {
        name: 'Rationale',
        text: rationale,
        ...origin(id),
      }),
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
  const read = await reader.body('get_spec', { spec_id })
  const names = await KnownNames.of(reader, read.id, read)
  const spec = { ...names.applyTo(read), id: read.id, ref: read.ref }
  const page = new Page('Spec', spec.title, [spec.status, `v${spec.version}`, ...(spec.locked ? ['locked'] : [])])
  page.facts(
    'Facts',
    {
      id: spec.id,
      ref: spec.ref,
      board_id: spec.board_id,
      ideation_id: spec.ideation_id,
      refinement_id: spec.refinement_id,
      assignee_id: spec.assignee_id,
      archived: spec.archived || undefined,
    },
    { labels: spec.labels },
  )
  page.line('Proof', proofLine(spec.proof, Date.now()))
  // A description that the context of a derived spec repeats is shown only once (crew 8.8).
  if (!spec.context?.includes(spec.description ?? ''))
    page.text('Description', spec.description, names.origin('description'), rest)
  page.text('Context', spec.context, names.origin('context'), rest)
  page.section(
    'Functional requirements',
    numbered(spec.functional_requirements, names.origin('functional_requirements')),
    rest,
  )
  page.section(
    'Technical requirements',
    technicalEntries(spec.technical_requirements, names.originIn('technical_requirements')),
    rest,
  )
  page.section('Acceptance criteria', numbered(spec.acceptance_criteria, names.origin('acceptance_criteria')), rest)
  page.section('Test scenarios', scenarioEntries(spec.test_scenarios, names.originIn('test_scenarios')), rest)
  page.section('Business rules', ruleEntries(spec.business_rules, names.originIn('business_rules')), rest)
  page.section('API contracts', contractEntries(spec.api_contracts, names.originIn('api_contracts')), rest)
  page.section('Decisions', decisionEntries(spec.decisions, names.originIn('decisions')), rest)
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
  moves(page, await reader.moves('spec', spec_id))
  return page.toString()
}

async function lastValidation(page: Page, reader: Reader, { id }: Spec): Promise<void> {
  const listed = await reader.optional('list_spec_validations', { spec_id: id })
  const last = listed?.validations[0]
  if (last === undefined) return
  page.facts(
    'Last validation',
    {
      outcome: last.outcome,
      active: last.active,
      completeness: last.completeness,
      assertiveness: last.assertiveness,
      ambiguity: last.ambiguity,
      violations: last.threshold_violations,
    },
    { reviewer: last.reviewer_name },
  )
  page.text(
    'Justification of the last validation',
    last.general_justification,
    { by: last.reviewer_id, at: last.created_at },
    'list_spec_validations',
  )
}
