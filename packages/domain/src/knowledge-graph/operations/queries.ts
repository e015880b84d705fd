import type { features } from '@specboard/contract'
import { DomainError } from '../../errors.ts'
import { inSteps } from '../../implement.ts'
import { runCypher } from '../cypher/run.ts'
import { isLive, onceAnswer, streamAnswer } from '../events/stream.ts'

type Graph = (typeof features)['knowledge-graph']

const ownMembers: ReadonlySet<string> = new Set(['cypher', 'params', 'max_rows', 'timeout_ms'])

/**
 * The parameters of a query. With the query in the URL the body is the parameters themselves, unless it is
 * the form that carries everything: a tool sends each argument to both places.
 */
function parametersOf(inUrl: boolean, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const whole = Object.keys(body).every(name => ownMembers.has(name)) && 'params' in body
  if (inUrl && !whole && !('cypher' in body)) return body
  const { params } = body
  return typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {}
}

export const queryCypher = inSteps<Graph['query_kg_cypher']>(async ({ params, query, body }, steps) => {
  const { graph } = steps.environment
  const agentId = await steps.read(async ctx => ctx.caller.id)
  const wait = graph.cypherRate.take(agentId)
  if (wait !== null)
    throw new DomainError('RATE_LIMITED', `Too many queries in a minute. Wait ${wait} s.`, { retry_after: wait })
  const inUrl = query.cypher !== undefined
  const sent = inUrl ? query : body
  return steps
    .read(async ctx => ({ db: ctx.db }))
    .then(({ db }) =>
      runCypher(db, graph.cypher, {
        boardId: params.board_id,
        cypher: query.cypher ?? body.cypher ?? '',
        parameters: parametersOf(inUrl, body),
        maxRows: sent.max_rows ?? query.max_rows,
        timeoutMs: sent.timeout_ms ?? query.timeout_ms,
      }),
    )
})

export const streamEvents = inSteps<Graph['stream_kg_events']>(async ({ params, query }, steps) =>
  isLive(steps) ? streamAnswer(params.board_id, query, steps) : onceAnswer(params.board_id, query, steps),
)
