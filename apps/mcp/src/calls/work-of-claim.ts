/**
 * The information needed to work on a claimed card, included in the answer of its claim to save a second call (crew
 * 5.5).
 */
import type { AnyOperation } from '@specboard/contract'
import type { CallContext } from './call-context.ts'
import { isObject, type JsonObject, leanValue } from './lean-value.ts'
import { linkedParts, textsNamed } from './linked-parts.ts'
import { type BodyOf, Reader } from './reader.ts'

type Card = BodyOf<'get_card'>
type Spec = BodyOf<'get_spec'>

/** The maximum characters of criteria, and of requirements, for a card that is linked to none of them. */
const maxUnlinkedLength = 1_000

/** The texts of a card that say what to do. */
const texts = [
  'description',
  'details',
  'expected_behavior',
  'observed_behavior',
  'steps_to_reproduce',
  'action_plan',
  'regression_test',
] as const

/**
 * The card's texts, constraints and discussion. Criteria and requirements are those that the card is linked to, or the
 * first ones of its spec if it is linked to none.
 */
async function workOn({ service, caller, view }: CallContext, card_id: string): Promise<JsonObject | undefined> {
  const reader = new Reader(service, caller, view.boardId)
  const card = await reader.optional('get_card', { card_id })
  if (card === undefined) return undefined
  const { spec_id, board_id } = card
  const spec = spec_id === null ? undefined : await reader.optional('get_spec', { spec_id })
  const waits = (await reader.optional('list_card_dependencies', { card_id })) ?? []
  const guidelines = (await reader.optional('list_board_guidelines', { board_id })) ?? []
  return leanValue({
    texts: Object.fromEntries(texts.map(name => [name, card[name]]).filter(([, text]) => text !== '')),
    ...(spec !== undefined && !spec.standing && bindingOf(card, spec)),
    spec: spec === undefined ? null : { ref: spec.ref, title: spec.title, status: spec.status },
    checkpoint: card.checkpoint?.text,
    changed_since_claimed: card.changed_since_claimed,
    questions: card.qa_items.map(({ id, question, answer }) => ({ id, question, answer })),
    waits_for: waits.filter(({ status }) => !over.has(status)).map(({ ref, status }) => ({ ref, status })),
    guidelines: guidelines.map(({ guideline }) => guideline.title),
  }) as JsonObject
}

/** The `work` member in the answer of a claim; undefined for any other call, and if nothing was claimed. */
export async function workOfClaim(
  context: CallContext,
  { name }: AnyOperation,
  body: unknown,
): Promise<JsonObject | undefined> {
  if (!isObject(body)) return undefined
  const claim = name === 'claim_card' ? body : name === 'claim_next_card' ? body.claim : undefined
  return isObject(claim) ? workOn(context, String(claim.card_id)) : undefined
}

/** The card in a claim's answer, without the members that its `work` already contains. */
export function withoutWork(value: JsonObject): JsonObject {
  if (!isObject(value.card)) return value
  const redundant: ReadonlySet<string> = new Set([...texts, 'checkpoint', 'changed_since_claimed', 'qa_items_count'])
  return { ...value, card: Object.fromEntries(Object.entries(value.card).filter(([name]) => !redundant.has(name))) }
}

const over: ReadonlySet<string> = new Set(['done', 'cancelled'])

/** The criteria and requirements that apply to a card, each with its index in the spec's list (crew 5.5, 8.8). */
export function bindingTexts(card: Pick<Card, 'id' | 'test_scenario_ids'>, spec: Spec) {
  const { scenarios, rules } = linkedParts(card, spec)
  return {
    acceptance_criteria: bound(
      spec.acceptance_criteria,
      scenarios.flatMap(({ linked_criteria }) => linked_criteria ?? []),
    ),
    functional_requirements: bound(
      spec.functional_requirements,
      rules.flatMap(({ linked_requirements }) => linked_requirements ?? []),
    ),
  }
}

function bindingOf(card: Card, spec: Spec) {
  const { scenarios, rules, technical } = linkedParts(card, spec)
  const { acceptance_criteria, functional_requirements } = bindingTexts(card, spec)
  return {
    criteria: acceptance_criteria.items.map(({ text }) => text),
    requirements: functional_requirements.items.map(({ text }) => text),
    technical_requirements: technical.map(({ text }) => text),
    rules: rules.map(({ id, rule, when, then }) => ({ id, rule, when, then })),
    scenarios: scenarios.map(({ id, title, given, when, then, status }) => ({ id, title, given, when, then, status })),
  }
}

interface WorkItems {
  readonly items: readonly { readonly index: number; readonly text: string }[]
  /** The number of further texts that are left out. */
  readonly left: number
}

/** The referenced texts; if there are none, the first ones. */
function bound(all: readonly string[] | null, references: readonly string[]): WorkItems {
  const linked = textsNamed(all, references)
  if (linked.length > 0) return { items: linked, left: 0 }
  const items = (all ?? []).map((text, index) => ({ index, text }))
  let length = 0
  const end = items.findIndex(({ text }) => {
    length += text.length
    return length > maxUnlinkedLength
  })
  return end === -1 ? { items, left: 0 } : { items: items.slice(0, end), left: items.length - end }
}
