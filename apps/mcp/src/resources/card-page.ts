import { linkedParts } from '../calls/linked-parts.ts'
import type { BodyOf, Reader } from '../calls/reader.ts'
import { bindingTexts } from '../calls/work-of-claim.ts'
import { changeLines } from './change-lines.ts'
import { entry } from './entry.ts'
import { KnownNames } from './known.ts'
import { Page } from './page.ts'
import { proofLine } from './proof-line.ts'
import { code, plain, quoted } from './quoting.ts'
import { designs, mockups, moves, questionEntry, recordLine } from './sections.ts'
import {
  contractEntries,
  decisionEntries,
  ruleEntries,
  type Spec,
  scenarioEntries,
  technicalEntries,
} from './spec-page.ts'

type Card = BodyOf<'get_card'>

/**
 * A card with everything needed to work on it (mcp 12): its part of the spec, dependencies, knowledge, discussion,
 * moves.
 */
export async function cardPage(reader: Reader, card_id: string): Promise<string> {
  const rest = 'get_card'
  const read = await reader.body('get_card', { card_id })
  const { spec_id } = read
  const spec = spec_id === null ? undefined : await reader.optional('get_spec', { spec_id })
  const waits = (await reader.optional('list_card_dependencies', { card_id })) ?? []
  const names = await KnownNames.of(reader, read.id, read, spec, waits)
  const card = { ...names.applyTo(read), id: read.id, ref: read.ref, claim: read.claim, board_id: read.board_id }
  const page = new Page('Card', card.title, [card.status, card.card_type, card.priority])
  page.facts(
    'Facts',
    {
      id: card.id,
      ref: card.ref,
      board_id: names.name(card.board_id),
      spec_id: card.spec_id,
      sprint_id: card.sprint_id,
      assignee_id: card.assignee_id,
      due_date: card.due_date,
      severity: card.severity,
      origin_task_id: card.origin_task_id,
      linked_test_task_ids: card.linked_test_task_ids,
      archived: card.archived || undefined,
      claimed_by: names.who(card.claim?.agent_id),
      claimed_until: card.claim?.expires_at,
    },
    { labels: card.labels },
  )
  page.line('Proof', proofLine(card.proof, Date.now()))
  for (const [title, field] of texts) page.text(title, card[field], names.origin(field), rest)
  const { checkpoint, changed_since_claimed = [] } = card
  if (checkpoint !== null)
    page.text('Checkpoint', checkpoint.text, { by: checkpoint.agent_id, at: checkpoint.at }, rest)
  page.section(
    'Changed since it was claimed',
    changed_since_claimed.map(({ field, item, by, at }) =>
      entry(`- ${plain(field)}${item === null ? '' : ` ${quoted(item)}`} by ${code(by)}, ${at}`),
    ),
    'diff_record',
  )
  if (spec !== undefined && !spec.standing) await specPart(page, reader, read, spec)
  page.section('Waits for', names.applyTo(waits).map(recordLine), 'list_card_dependencies')
  page.section(
    'Knowledge',
    card.knowledge_bases.map(({ id, title, content, author_id, updated_at }) =>
      entry(`- ${code(id)} ${quoted(title)}`, { name: 'Content', text: content, by: author_id, at: updated_at }),
    ),
    'list_card_knowledge',
  )
  await changes(page, card, reader)
  mockups(page, card.screen_mockups, rest)
  designs(page, card.architecture_designs, 'list_card_architecture')
  discussion(page, card)
  outcome(page, card)
  moves(page, await reader.moves('card', card_id))
  return page.toString()
}

/** Adds what Git and the forge report about the work (git 10). */
async function changes(page: Page, { id, board_id, changes: reported }: Card, reader: Reader): Promise<void> {
  if (reported === null) return
  const linked = await reader.optional('list_changes', { board_id, record: id })
  page.section('Changes', changeLines(linked ?? [], reported), 'list_changes')
}

/** The texts of a card, each with its title. */
const texts = [
  ['Description', 'description'],
  ['Details', 'details'],
  ['Expected behavior', 'expected_behavior'],
  ['Observed behavior', 'observed_behavior'],
  ['Steps to reproduce', 'steps_to_reproduce'],
  ['Action plan', 'action_plan'],
] as const

/**
 * Adds the part of the spec that applies to the card: what it is linked to, otherwise the beginning of the spec (crew
 * 8.8).
 */
async function specPart(page: Page, reader: Reader, card: Card, spec: Spec): Promise<void> {
  const rest = 'get_spec'
  const linked = linkedParts(card, spec)
  const names = await KnownNames.of(reader, spec.id, spec)
  const { scenarios, rules, technical, contracts, decisions } = names.applyTo(linked)
  page.facts('Spec', { id: spec.ref, status: spec.status }, { title: spec.title })
  page.text('Context of the spec', spec.context, names.origin('context'), rest)
  for (const [title, field] of binding) {
    const { items, left } = bindingTexts(card, spec)[field]
    const origin = names.origin(field)
    const lines = items.map(({ index, text }) => entry(`- [${index}]`, { name: 'Text', text, ...origin }))
    page.section(title, [...lines, left === 0 ? undefined : `… ${left} more; ${rest} has the rest`], rest)
  }
  page.section('Its test scenarios', scenarioEntries(scenarios, names.originIn('test_scenarios')), rest)
  page.section('Its business rules', ruleEntries(rules, names.originIn('business_rules')), rest)
  page.section(
    'Its technical requirements',
    technicalEntries(technical, names.originIn('technical_requirements')),
    rest,
  )
  page.section('Its API contracts', contractEntries(contracts, names.originIn('api_contracts')), rest)
  page.section('Its decisions', decisionEntries(decisions, names.originIn('decisions')), rest)
}

/** The texts of a spec that apply to its cards, each with its title. */
const binding = [
  ['Acceptance criteria', 'acceptance_criteria'],
  ['Functional requirements', 'functional_requirements'],
] as const

function discussion(page: Page, { comments, qa_items, attachments, board_id, id }: Card): void {
  page.section(
    'Comments',
    comments.map(({ id: comment, content, author_id, updated_at }) =>
      entry(`- ${code(comment)} by ${code(author_id)}, ${updated_at}`, {
        name: 'Comment',
        text: content,
        by: author_id,
        at: updated_at,
      }),
    ),
    'get_card',
  )
  page.section('Questions', qa_items.map(questionEntry), 'get_card')
  page.section(
    'Attachments',
    attachments.map(
      ({ id: file, original_filename, mime_type, size }) =>
        `- ${code(file)} ${quoted(original_filename)} (${plain(mime_type)}, ${size} bytes): specboard://attachments/${board_id}/${id}/${file}`,
    ),
    'get_card',
  )
}

function outcome(page: Page, { validations, conclusions }: Card): void {
  page.section(
    'Validations',
    validations.map(({ id, outcome: result, active, reviewer_id, reviewer_name, summary, created_at }) =>
      entry(`- ${code(id)} ${result}${active ? ', active' : ''}, by ${quoted(reviewer_name)}`, {
        name: 'Summary',
        text: summary,
        by: reviewer_id,
        at: created_at,
      }),
    ),
    'list_task_validations',
  )
  page.section(
    'Conclusions',
    conclusions.map(({ text, source, completeness, drift, author_id, created_at }) =>
      entry(`- ${plain(source)} (completeness ${completeness}, drift ${drift})`, {
        name: 'Conclusion',
        text,
        by: author_id,
        at: created_at,
      }),
    ),
    'get_card',
  )
}
