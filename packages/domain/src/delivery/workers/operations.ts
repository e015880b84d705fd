import type { features } from '@specboard/contract'
import type { Implementation } from '../../kernel/implement.ts'
import { pageOf } from '../../kernel/page.ts'
import { refsInLog } from '../../kernel/references.ts'
import type { Signs } from '../../kernel/worker-signs.ts'
import { BoardScopes } from '../scopes/overlaps.ts'
import { sessionsSince } from '../sessions/store.ts'
import { byState, endedSince, stateOf, workingSince } from './rules.ts'
import { type HeldCard, heldCardsOf, lastEvents, workingAgents } from './store.ts'

const countsOf = ({ refusals }: Signs) => ({
  last_hour: [...refusals.values()].reduce((sum, count) => sum + count, 0),
  codes: Object.fromEntries([...refusals].toSorted(([, a], [, b]) => b - a)),
})

/** list_workers: who holds a card of a board, who waits for one, and who was seen on it recently (harness 6). */
export const listWorkers: Implementation<typeof features.harness.list_workers> = async ({ query }, ctx) => {
  const now = ctx.now()
  const board = ctx.boardId
  const signs = await ctx.environment.workerSigns.on(ctx.db, board)
  const waiters = JSON.stringify([...signs.waiters])
  const found = await workingAgents(ctx.db, { board, now, since: workingSince(now), waiters })
  const agents = [...new Map(found.map(agent => [agent.id, agent])).values()]
  const cards = ctx.access.allows('CARDS_READ') ? await heldCardsOf(ctx.db, { board, now }) : []
  const cardsByAgent = Map.groupBy(
    cards.toSorted((a, b) => a.claimed_at.localeCompare(b.claimed_at)),
    ({ agent_id }) => agent_id,
  )
  const scopes = await BoardScopes.read(ctx, board)
  const sessions = await sessionsSince(ctx.db, { board, since: endedSince(now) })
  const events = new Map((await lastEvents(ctx.db, { board })).map(event => [event.actor_id, event]))
  const refs = await refsInLog(
    ctx.db,
    [...agents.map(({ id }) => id), ...sessions.map(({ agent_id }) => agent_id)].flatMap(
      id => events.get(id)?.entity_id ?? [],
    ),
  )
  const seesAgents = ctx.access.allows('AGENTS_READ')
  const cardOf = (card: HeldCard) => ({
    ref: `${card.key}-${card.number}`,
    title: card.title,
    stage: card.stage,
    since: card.claimed_at,
    until: card.expires_at,
    attempt: card.attempts + 1,
    overlaps: scopes.ofHeld(card.card_id),
  })
  const ofAgent = (id: string) => {
    const last = events.get(id)
    return {
      usage: null,
      refusals: seesAgents ? countsOf(signs.of(id)) : null,
      run: null,
      last_event:
        last === undefined ? null : { action: last.action, ref: refs.get(last.entity_id) ?? null, at: last.created_at },
    }
  }
  const live = Map.groupBy(
    sessions.filter(session => session.expires_at > now),
    ({ agent_id }) => agent_id,
  )
  const inSessions = sessions.map(session => {
    const { agent_id, agent_name, name, client, model, worktree, branch, last_event_at } = session
    const isOver = session.expires_at <= now
    // A waiting call does not say which session it belongs to.
    const waits = signs.of(agent_id).waits && live.get(agent_id)?.length === 1
    return {
      kind: 'session' as const,
      id: name,
      agent_id,
      agent_name,
      client,
      model,
      worktree,
      branch,
      cards: isOver ? [] : (cardsByAgent.get(agent_id) ?? []).filter(card => card.session === name).map(cardOf),
      last_seen_at: last_event_at,
      state: isOver ? ('ended' as const) : stateOf({ waits, lastSeenAt: last_event_at, now }),
      ...ofAgent(agent_id),
    }
  })
  const agentsAlone = agents.flatMap(({ id, name, last_used_at }) => {
    const { waits } = signs.of(id)
    const own = live.get(id) ?? []
    const unbound = (cardsByAgent.get(id) ?? []).filter(({ session }) => session === null)
    if (own.length > 0 && unbound.length === 0 && (own.length === 1 || !waits)) return []
    return {
      kind: 'agent' as const,
      id,
      agent_id: id,
      agent_name: name,
      client: null,
      model: null,
      worktree: null,
      branch: null,
      cards: unbound.map(cardOf),
      last_seen_at: last_used_at,
      state: stateOf({ waits, lastSeenAt: last_used_at, now }),
      ...ofAgent(id),
    }
  })
  return pageOf([...inSessions, ...agentsAlone].sort(byState), query)
}
