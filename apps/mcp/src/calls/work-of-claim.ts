/** What work on a claimed card needs, in the answer of its claim, so that no second call does (crew 5.5). */
import {
  type AnyOperation,
  type OperationName,
  type Operations,
  operationByName,
  parseInput,
} from '@specboard/contract'
import { DomainError } from '@specboard/domain'
import type { z } from 'zod'
import type { CallContext } from './call-context.ts'
import { isObject, type JsonObject, leanValue } from './lean-value.ts'

type Card = z.output<Operations['get_card']['response']>
type Spec = z.output<Operations['get_spec']['response']>
type Dependency = z.output<Operations['list_card_dependencies']['list']>
type Guideline = z.output<Operations['list_board_guidelines']['list']>

/** Characters of criteria, and of requirements, that bind a card which is linked to none of them. */
const mostUnlinked = 1_000

/** The texts of a card that say what is to be done. */
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
 * The card's texts, what binds it, and what was said on it: of criteria and requirements those that it is linked to, else
 * the first of its spec.
 */
async function workOn(context: CallContext, card_id: string): Promise<JsonObject | undefined> {
  const card = await read<Card>(context, 'get_card', { card_id })
  if (card === undefined) return undefined
  const { spec_id, board_id } = card
  const spec = spec_id === null ? undefined : await read<Spec>(context, 'get_spec', { spec_id })
  const waits = (await read<Dependency[]>(context, 'list_card_dependencies', { card_id })) ?? []
  const guidelines = (await read<Guideline[]>(context, 'list_board_guidelines', { board_id })) ?? []
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

/** What an operation answers; undefined where the caller may not read it. */
async function read<Body>(
  { service, caller, view }: CallContext,
  name: OperationName,
  params: Readonly<Record<string, string>>,
): Promise<Body | undefined> {
  const operation = operationByName.get(name)!
  const parsed = parseInput(operation, { params, query: {}, body: undefined })
  if (!parsed.ok) throw new TypeError(`Arguments of ${name}: ${JSON.stringify(parsed.items)}`)
  const call = { operation, input: parsed.input, caller, within: view.boardId, origin: 'mcp' } as const
  try {
    return (await service.perform(call)).body as Body
  } catch (error) {
    if (error instanceof DomainError && (error.code === 'FORBIDDEN' || error.code === 'NOT_FOUND')) return undefined
    throw error
  }
}

/** What the answer of a claim has as `work`; undefined of any other call, and where nothing was claimed. */
export async function workOfClaim(
  context: CallContext,
  { name }: AnyOperation,
  body: unknown,
): Promise<JsonObject | undefined> {
  if (!isObject(body)) return undefined
  const claim = name === 'claim_card' ? body : name === 'claim_next_card' ? body.claim : undefined
  return isObject(claim) ? workOn(context, String(claim.card_id)) : undefined
}

/** The card of a claim's answer without what stands in its `work`. */
export function besideWork(value: JsonObject): JsonObject {
  if (!isObject(value.card)) return value
  const said: ReadonlySet<string> = new Set([...texts, 'checkpoint', 'changed_since_claimed', 'qa_items_count'])
  return { ...value, card: Object.fromEntries(Object.entries(value.card).filter(([name]) => !said.has(name))) }
}

const over: ReadonlySet<string> = new Set(['done', 'cancelled'])

interface Linked {
  readonly linked_task_ids?: readonly string[] | null
}

function bindingOf(card: Card, spec: Spec) {
  const isLinked = ({ linked_task_ids }: Linked) => linked_task_ids?.includes(card.id) === true
  const scenarios = (spec.test_scenarios ?? []).filter(({ id }) => card.test_scenario_ids.includes(id))
  const rules = (spec.business_rules ?? []).filter(isLinked)
  const technical = (spec.technical_requirements ?? []).filter(item => typeof item === 'object' && isLinked(item))
  return {
    criteria: bound(
      spec.acceptance_criteria,
      scenarios.flatMap(({ linked_criteria }) => linked_criteria ?? []),
    ),
    requirements: bound(
      spec.functional_requirements,
      rules.flatMap(({ linked_requirements }) => linked_requirements ?? []),
    ),
    technical_requirements: technical.map(item => (typeof item === 'object' ? item.text : item)),
    rules: rules.map(({ id, rule, when, then }) => ({ id, rule, when, then })),
    scenarios: scenarios.map(({ id, title, given, when, then, status }) => ({ id, title, given, when, then, status })),
  }
}

/** The texts that are named, by index or text; where none is, the first ones. */
function bound(all: readonly string[] | null, named: readonly string[]): string[] {
  const items = all ?? []
  const linked = items.filter((text, index) => named.includes(text) || named.includes(String(index)))
  if (linked.length > 0) return linked
  let length = 0
  const end = items.findIndex(text => {
    length += text.length
    return length > mostUnlinked
  })
  return end === -1 ? [...items] : items.slice(0, end)
}
