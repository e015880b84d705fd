import { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement, multiStep } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { findIntent, type Intent, intentOf, intents } from './intents.ts'
import { paramsFor } from './params.ts'
import { withRefs } from './result.ts'
import { listHistory, listSaved, remember, type StoredQuestion, save, savedUnder } from './searches.ts'

type Discovery = typeof features.discovery

const listIntents: Implementation<Discovery['list_discovery_intents']> = async ({ query }) => {
  const { category, ...paging } = query
  const matching = intents.filter(intent => category === undefined || intent.category === category)
  return pageOf(matching.map(intentOf), paging)
}

const listSavedSearches: Implementation<Discovery['list_saved_searches']> = ({ query }, ctx) =>
  listSaved(ctx.db, ctx.boardId, query)

const listSearchHistory: Implementation<Discovery['list_search_history']> = ({ query }, ctx) =>
  listHistory(ctx.db, ctx.boardId, ctx.caller.id, query)

/**
 * The board in a body, after checking that the caller may ask the question there (planning 4.2).
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
async function openBoard(ctx: Context, boardId: string, { min_permission }: Intent): Promise<string> {
  const { record, access } = await ctx.reach('board', boardId)
  access.require([...new Set(['DISCOVERY_EXECUTE', min_permission] as const)])
  return record.id
}

/**
 * Answers on the reader's connection, so that a long question does not hold up writes; afterwards it writes the history
 * and the saved search.
 */
const executeIntent = multiStep<Discovery['execute_discovery_intent']>(async ({ params: path, body }, steps) => {
  const { board_id, save_as } = body
  if (board_id == null || board_id === '')
    throw invalid('board_id', 'Send the id of the board to ask about in board_id.')
  const intent = findIntent(path.intent_id)
  if (intent === undefined) throw notFound('intent', path.intent_id)
  const params = await steps.read(async ctx => {
    await openBoard(ctx, board_id, intent)
    const checked = paramsFor(intent, body.params)
    if (save_as !== undefined) await savedUnder(ctx, board_id, save_as)
    return checked
  })
  const { rows, total = rows.length, ...further } = await intent.find({ steps, boardId: board_id, params })
  const question = storedQuestionOf(intent, params)
  const saved_search = await steps.write(async ctx => {
    await openBoard(ctx, board_id, intent)
    await remember(ctx, board_id, question, total)
    return save_as === undefined ? undefined : save(ctx, board_id, save_as, question)
  })
  return {
    rows: await steps.read(({ db }) => withRefs(db, rows)),
    columns: [...intent.columns],
    total,
    tool_binding: intent.tool_binding,
    params_echo: params,
    execution: 'real_tool',
    intent_id: intent.id,
    intent_name: intent.name,
    ...further,
    ...(saved_search !== undefined && { saved_search }),
  }
})

const storedQuestionOf = (intent: Intent, params: StoredQuestion['params']): StoredQuestion => {
  const first = intent.params.find(param => !param.hidden)
  return { intent_id: intent.id, params, query: first === undefined ? null : (params[first.name] ?? null) }
}

export const discoveryOperations = implement(features.discovery, {
  list_discovery_intents: listIntents,
  list_saved_searches: listSavedSearches,
  list_search_history: listSearchHistory,
  execute_discovery_intent: executeIntent,
})
