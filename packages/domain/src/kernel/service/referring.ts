import { eachNamed, namingOf, withNamed } from '@specboard/contract'
import { parsePartReference } from '../../lib/reference.ts'
import type { ReadWrite } from '../../schema/database.ts'
import { ReferenceTexts } from '../access/referred.ts'
import { seenBy } from '../context.ts'
import { type DomainError, invalid } from '../errors.ts'
import { agentMembers, agentOf, assigneeOf, isAssigned, mayNameAgent, namesToSuggest } from './assignees.ts'
import type { Call } from './call.ts'

/**
 * A call with the references in its path, query and body replaced by ids wherever an id is expected (work 1), and the
 * assignee's name by the agent's id. A call without any is returned as it is, without querying the database.
 */
export async function withIds(database: ReadWrite, call: Call): Promise<Call> {
  return withAgents(database, await withAssignee(database, await withRecords(database, call)))
}

/** The call with the ids of the agents that its members name, except members of a body that may be any text. */
async function withAgents(database: ReadWrite, call: Call): Promise<Call> {
  if (call.caller === null) return call
  const { params, query, body } = call.input as { params: Part; query: Part; body?: Part }
  const named = await Promise.all([params, query, body].map(part => withAgentIds(database, call, part)))
  const unmatched = named.find(part => part.unmatched !== undefined)?.unmatched ?? call.unmatched
  const input = { ...call.input, params: named[0]!.members, query: named[1]!.members, body: named[2]!.members }
  const isSame = named.every(({ members }, index) => members === [params, query, body][index])
  if (isSame && unmatched === call.unmatched) return call
  return { ...call, unmatched, ...(!isSame && { input: input as Call['input'] }) }
}

/** Members of a call with the ids of the agents that they name, and why a name is refused, if one is. */
interface NamedAgents {
  readonly members: Part | undefined
  readonly unmatched?: DomainError
}

async function withAgentIds(
  database: ReadWrite,
  { caller, origin }: Call,
  members: Part | undefined,
): Promise<NamedAgents> {
  let changed = members
  for (const member of agentMembers) {
    const text = members?.[member]
    if (!mayNameAgent(text) || isNoAgent.test(text)) continue
    const id = await database.read(db => agentOf(db, text, caller!.id))
    if (id !== text) changed = { ...changed, [member]: id }
    else if (origin === 'mcp')
      return { members: changed, unmatched: await unknownAgent(database, member, text, caller!.id) }
  }
  return { members: changed }
}

/** Actors that are not agents: CI, a forge, an automation (people 1.1). */
const isNoAgent = /^(?:ci|forge|automation):/

const unknownAgent = async (database: ReadWrite, field: string, name: string, caller: string) =>
  invalid(field, 'No single active agent that you see has this name. Send me, a name or an id.', {
    available: await database.read(db =>
      namesToSuggest(db, { caller, name, managed: field === 'assignee_id' ? 0 : 1 }),
    ),
  })

/** The call with the id of the agent that its assignee names, in a body or in the filter of a list. */
async function withAssignee(database: ReadWrite, call: Call): Promise<Call> {
  const { caller, input } = call
  const { body, query } = input as { readonly body?: Part; readonly query?: Part }
  const text = body?.assignee_id ?? query?.assignee_id
  // In a filter, `me` also matches what was assigned to the caller by name, and `none` matches what is unassigned.
  const isKeyword = body?.assignee_id == null && (text === 'me' || text === 'none')
  if (caller !== null && call.origin === 'mcp' && isBlank(body?.assignee_id))
    return withoutMatch(database, call, text as string)
  if (caller === null || isKeyword || !mayNameAgent(text)) return call
  const assignee_id = await database.read(db => assigneeOf(db, text, caller.id))
  if (assignee_id === text) {
    const isTold = call.origin === 'mcp' && body?.assignee_id != null
    return isTold ? withoutMatch(database, call, text) : call
  }
  return {
    ...call,
    input:
      body?.assignee_id == null
        ? { ...input, query: { ...query, assignee_id } }
        : { ...input, body: { ...body, assignee_id } },
  }
}

/**
 * A call over MCP whose assignee matches no agent, unless the record already has it: it is refused, since a model that
 * misspells a name would give the work to nobody (crew 9.4).
 */
async function withoutMatch(database: ReadWrite, call: Call, text: string): Promise<Call> {
  const isStored = await database.read(db => isAssigned(db, call.input.params, text))
  return isStored ? call : { ...call, unmatched: await unknownAgent(database, 'assignee_id', text, call.caller!.id) }
}

const isBlank = (text: unknown): boolean => typeof text === 'string' && text.trim() === ''

type Part = Readonly<Record<string, unknown>> | null

async function withRecords(database: ReadWrite, call: Call): Promise<Call> {
  const { operation, input, caller, within } = call
  const naming = namingOf(operation)
  const named = new ReferenceTexts()
  eachNamed(naming.params, input.params, named.add)
  eachNamed(naming.query, input.query, named.add)
  eachNamed(naming.body, input.body, named.add)
  const owner = ownerOfText(call)
  if (owner !== undefined) named.add('card', owner)
  if (named.isEmpty || caller === null) return call
  const idOf = await database.read(db => named.find(db, { agentId: seenBy(caller), within }))
  const found = {
    ...input,
    params: withNamed(naming.params, input.params, idOf) as typeof input.params,
    query: withNamed(naming.query, input.query, idOf) as typeof input.query,
    body: withNamed(naming.body, input.body, idOf) as typeof input.body,
  }
  const cardId = owner === undefined ? undefined : idOf('card', owner)
  return { ...call, input: cardId === undefined || cardId === owner ? found : inCard(found, cardId) }
}

/** The reference of the record whose knowledge read_text is asked for by reference; undefined for any other call. */
function ownerOfText({ operation, input }: Call): string | undefined {
  const { entity_type, entity_id } = input.params as Readonly<Record<string, unknown>>
  if (operation.name !== 'read_text' || entity_type !== 'knowledge' || typeof entity_id !== 'string') return undefined
  const part = parsePartReference(entity_id)
  return part === undefined ? undefined : `${part.key}-${part.number}`
}

/**
 * The input of a read of a card's knowledge entry, changed to read the same text in its card, which contains it (crew
 * 8.2).
 */
function inCard(input: Call['input'], cardId: string): Call['input'] {
  const { params, query } = input as Readonly<Record<'params' | 'query', Readonly<Record<string, unknown>>>>
  const path = `knowledge_bases.${params.entity_id}.${query.path ?? 'content'}`
  return { ...input, params: { entity_type: 'card', entity_id: cardId }, query: { ...query, path } } as Call['input']
}
