import type { features } from '@specboard/contract'
import { DomainError } from '../../kernel/errors.ts'
import { multiStep } from '../../kernel/implement.ts'
import { isLive } from '../../kernel/streams/open-stream.ts'
import { runCypher } from '../queries/run-cypher.ts'
import { onceAnswer, streamAnswer } from '../streams/stream.ts'

type Graph = (typeof features)['knowledge-graph']

export const queryCypher = multiStep<Graph['query_kg_cypher']>(async ({ params, query, body }, steps) => {
  const { graph } = steps.environment
  const agentId = await steps.read(async ctx => ctx.caller.id)
  const wait = graph.cypherRate.take(agentId)
  if (wait !== null)
    throw new DomainError('RATE_LIMITED', `Too many queries in a minute. Wait ${wait} s.`, { retry_after: wait })
  // With the query in the URL, the limits are there too, and the body holds only the parameters.
  const call = query.cypher === undefined ? body : { ...query, cypher: query.cypher, params: body }
  return runCypher(graph.cypher, {
    agentId,
    boardId: params.board_id,
    cypher: call.cypher,
    parameters: call.params ?? {},
    maxRows: call.max_rows ?? query.max_rows,
    timeoutMs: call.timeout_ms ?? query.timeout_ms,
  })
})

export const streamEvents = multiStep<Graph['stream_kg_events']>(async ({ params, query }, steps) =>
  isLive(steps) ? streamAnswer(params.board_id, query, steps) : onceAnswer(params.board_id, query, steps),
)
