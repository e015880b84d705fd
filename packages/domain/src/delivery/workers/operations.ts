import { features } from '@specboard/contract'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { refsInLog } from '../../kernel/references.ts'
import type { Signs } from '../../kernel/worker-signs.ts'
import { scopeOperations } from '../scopes/operations.ts'
import { BoardScopes } from '../scopes/overlaps.ts'
import { byState, stateOf, workingSince } from './rules.ts'
import { atWork, heldCardsOf, lastEvents } from './store.ts'

const countsOf = ({ refusals }: Signs) => ({
  last_hour: [...refusals.values()].reduce((sum, count) => sum + count, 0),
  codes: Object.fromEntries([...refusals].toSorted(([, a], [, b]) => b - a)),
})

/** list_workers: who holds a card of a board, who waits for one, and who was seen on it lately (harness 6). */
const listWorkers: Implementation<typeof features.harness.list_workers> = async ({ query }, ctx) => {
  const now = ctx.now()
  const board = ctx.boardId
  const signs = await ctx.environment.workerSigns.on(ctx.db, board)
  const waiters = JSON.stringify([...signs.waiters])
  const found = await atWork(ctx.db, { board, now, since: workingSince(now), waiters })
  const agents = [...new Map(found.map(agent => [agent.id, agent])).values()]
  const cards = ctx.access.allows('CARDS_READ') ? await heldCardsOf(ctx.db, { board, now }) : []
  const held = Map.groupBy(
    cards.toSorted((a, b) => a.claimed_at.localeCompare(b.claimed_at)),
    ({ agent_id }) => agent_id,
  )
  const scopes = await BoardScopes.read(ctx, board)
  const events = new Map((await lastEvents(ctx.db, { board })).map(event => [event.actor_id, event]))
  const refs = await refsInLog(
    ctx.db,
    agents.flatMap(({ id }) => events.get(id)?.entity_id ?? []),
  )
  const seesAgents = ctx.access.allows('AGENTS_READ')
  const workers = agents.map(({ id, name, last_used_at }) => {
    const own = signs.of(id)
    const last = events.get(id)
    return {
      kind: 'agent' as const,
      id,
      agent_id: id,
      agent_name: name,
      client: null,
      model: null,
      worktree: null,
      branch: null,
      cards: (held.get(id) ?? []).map(card => ({
        ref: `${card.key}-${card.number}`,
        title: card.title,
        stage: card.stage,
        since: card.claimed_at,
        until: card.expires_at,
        attempt: card.attempts + 1,
        overlaps: scopes.ofHeld(card.card_id),
      })),
      last_seen_at: last_used_at,
      state: stateOf({ waits: own.waits, lastSeenAt: last_used_at, now }),
      usage: null,
      refusals: seesAgents ? countsOf(own) : null,
      run: null,
      last_event:
        last === undefined ? null : { action: last.action, ref: refs.get(last.entity_id) ?? null, at: last.created_at },
    }
  })
  return pageOf(workers.sort(byState), query)
}

/** What sits around agents: who works on what, and the files that cards are about (harness 4, 5, 6). */
export const harnessOperations = implement(features.harness, { ...scopeOperations, list_workers: listWorkers })
