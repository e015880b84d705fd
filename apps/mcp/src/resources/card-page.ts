import { linkedParts, textsNamed } from '../calls/linked-parts.ts'
import type { BodyOf, Reader } from '../calls/reader.ts'
import { changeLines } from './change-lines.ts'
import { entry } from './entry.ts'
import { Page } from './page.ts'
import { code, plain, quoted } from './quoting.ts'
import { designs, mockups, moves, originOf, questionEntry, recordLine } from './sections.ts'
import {
  contractEntries,
  decisionEntries,
  ruleEntries,
  type Spec,
  scenarioEntries,
  technicalEntries,
} from './spec-page.ts'

type Card = BodyOf<'get_card'>

/** A card with everything its task needs (mcp 12): its part of the spec, dependencies, knowledge, discussion, moves. */
export async function cardPage(reader: Reader, card_id: string): Promise<string> {
  const rest = 'get_card'
  const card = await reader.body('get_card', { card_id })
  const origin = originOf(card)
  const page = new Page('Card', card.title, [card.status, card.card_type, card.priority])
  page.facts(
    'Facts',
    {
      id: card.id,
      ref: card.ref,
      board_id: card.board_id,
      spec_id: card.spec_id,
      sprint_id: card.sprint_id,
      assignee_id: card.assignee_id,
      due_date: card.due_date,
      severity: card.severity,
      origin_task_id: card.origin_task_id,
      linked_test_task_ids: card.linked_test_task_ids,
      archived: card.archived || undefined,
      claimed_by: card.claim?.agent_id,
      claimed_until: card.claim?.expires_at,
    },
    { labels: card.labels },
  )
  page.text('Description', card.description, origin, rest)
  page.text('Details', card.details, origin, rest)
  page.text('Expected behavior', card.expected_behavior, origin, rest)
  page.text('Observed behavior', card.observed_behavior, origin, rest)
  page.text('Steps to reproduce', card.steps_to_reproduce, origin, rest)
  page.text('Action plan', card.action_plan, origin, rest)
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
  const spec = card.spec_id === null ? undefined : await reader.optional('get_spec', { spec_id: card.spec_id })
  if (spec !== undefined) specPart(page, card, spec)
  const waits = await reader.optional('list_card_dependencies', { card_id })
  page.section('Waits for', (waits ?? []).map(recordLine), 'list_card_dependencies')
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

/** Adds what git and the forge tell of the work (git 10). */
async function changes(page: Page, { id, board_id, changes: told }: Card, reader: Reader): Promise<void> {
  if (told === null) return
  const linked = await reader.optional('list_changes', { board_id, record: id })
  page.section('Changes', changeLines(linked ?? [], told), 'list_changes')
}

/** Adds the part of the spec that the card is linked to. */
function specPart(page: Page, card: Card, spec: Spec): void {
  const { scenarios, rules, technical, contracts, decisions } = linkedParts(card, spec)
  const criteria = textsNamed(
    spec.acceptance_criteria,
    scenarios.flatMap(({ linked_criteria }) => linked_criteria ?? []),
  )
  const origin = originOf(spec)
  page.facts('Spec', { id: spec.id, status: spec.status }, { title: spec.title })
  page.text('Context of the spec', spec.context, origin, 'get_spec')
  page.section(
    'Acceptance criteria of its scenarios',
    criteria.map(({ index, text }) => entry(`- [${index}]`, { name: 'Text', text, ...origin })),
    'get_spec',
  )
  page.section('Its test scenarios', scenarioEntries(scenarios, origin), 'get_spec')
  page.section('Its business rules', ruleEntries(rules, origin), 'get_spec')
  page.section('Its technical requirements', technicalEntries(technical, origin), 'get_spec')
  page.section('Its API contracts', contractEntries(contracts, origin), 'get_spec')
  page.section('Its decisions', decisionEntries(decisions, origin), 'get_spec')
}

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
