/** Agents as models read them: who they are, and on which boards (crew 7). */
import { type Answer, boardKeysOf } from '@specboard/domain'
import type { AnswerShape } from './answer-value.ts'
import type { CallContext } from './call-context.ts'
import { isObject, type JsonObject } from './lean-value.ts'

/**
 * The tools whose answers show agents without their permissions unless they are asked for in full; update_agent only in
 * lean views.
 */
const answering: ReadonlySet<string> = new Set(['create_agent', 'get_agent', 'list_agents', 'list_board_agents'])

const isShortened = ({ operation, options, leanFor }: AnswerShape): boolean =>
  options.full !== true &&
  options.fields === undefined &&
  (answering.has(operation.name) || (operation.name === 'update_agent' && leanFor !== undefined))

/**
 * The line about an agent, with its kind only if that is not `agent`, and with its key only if there is one, which is
 * shown this once.
 */
function lineOf(agent: JsonObject, boards: readonly string[] | undefined): JsonObject {
  const { id, name, kind, preset_name, is_active, last_used_at, api_key, key_expires_at, next } = agent
  return {
    id,
    name,
    ...(kind !== 'agent' && { kind }),
    preset_name,
    is_active,
    boards: boards ?? [],
    last_used_at,
    ...(typeof api_key === 'string' && { api_key }),
    ...(typeof api_key === 'string' && { key_expires_at }),
    ...(next !== undefined && { next }),
  }
}

/** An answer whose agents are lines; any other answer unchanged. */
export async function asAgentLines(
  { service, caller, view }: CallContext,
  answer: Answer,
  shaping: AnswerShape,
): Promise<Answer> {
  if (!isShortened(shaping) || answer.json !== undefined) return answer
  const { body } = answer
  const agents = (Array.isArray(body) ? body : [body]).filter(isObject)
  const ids = agents.map(({ id }) => String(id))
  const boards = await service.read(caller, ctx => boardKeysOf(ctx, ids), view.boardId)
  const lines = agents.map(agent => lineOf(agent, boards.get(String(agent.id))))
  return { ...answer, body: Array.isArray(body) ? lines : lines[0] }
}
