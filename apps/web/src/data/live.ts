import { onlineManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { reconnected } from '../later.ts'
import { refreshAllCards, refreshCards, refreshCardsOf } from './cards.ts'
import { markChanged } from './changed.ts'
import { refreshGraphOnReturn, refreshGraphSoon } from './graph-live.ts'
import { keys } from './keys.ts'
import { refreshRelated } from './moves.ts'
import { refreshRights } from './rights.ts'
import { sessionKey } from './session.ts'
import { type BoardEvent, followEvents } from './stream.ts'
import { lookForUpdate } from './version.ts'

/** How long events are collected before what they change is read again, ms: a bulk change is one refresh. */
const gatherMs = 80

/** The state of the event stream. */
export type Connection = 'connecting' | 'live' | 'lost'

/** Follows the events of all boards and keeps the cache up to date. Used once, by the shell. */
export function useLive(): Connection {
  const queries = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  const isOnline = useSyncExternalStore(subscribeToNetwork, hasNetwork)
  useEffect(() => {
    const gathered: BoardEvent[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let wasLost = false
    const refresh = () => {
      timer = undefined
      apply(queries, gathered.splice(0))
    }
    const end = followEvents(queries.getQueryData(keys.streamedFrom) ?? '', message => {
      switch (message.kind) {
        case 'event':
          gathered.push(message.event)
          timer ??= setTimeout(refresh, gatherMs)
          break
        case 'boards':
          void queries.invalidateQueries({ queryKey: keys.boards })
          void refreshRights(queries)
          break
        case 'inbox':
          queries.setQueryData(keys.waiting, message.waiting)
          void queries.invalidateQueries({ queryKey: keys.inbox })
          break
        case 'import':
          queries.setQueryData(keys.importing, message.progress)
          break
        case 'connected':
          setConnection('live')
          if (!message.isResumed) void queries.invalidateQueries()
          // The service ends the stream of an agent whose preset or flags change, so the rights may be outdated.
          else if (wasLost) void refreshRights(queries)
          // The service may have been updated meanwhile.
          if (wasLost) void lookForUpdate()
          reconnected()
          wasLost = false
          break
        case 'ended':
          queries.setQueryData(sessionKey, null)
          break
        case 'lost':
          setConnection('lost')
          wasLost = true
          break
      }
    })
    const endOfReturns = refreshGraphOnReturn(queries)
    addEventListener('online', reconnected)
    return () => {
      removeEventListener('online', reconnected)
      clearTimeout(timer)
      end()
      endOfReturns()
    }
  }, [queries])
  // The stream may take long to notice that the network is gone.
  return isOnline ? connection : 'lost'
}

const subscribeToNetwork = (listener: () => void) => onlineManager.subscribe(listener)
const hasNetwork = () => onlineManager.isOnline()

/** Refreshes what events made outdated, and marks what changed. */
function apply(queries: QueryClient, events: readonly BoardEvent[]): void {
  for (const [boardId, ofBoard] of Map.groupBy(events, event => event.board_id)) {
    const idsOf = (kind: BoardEvent['entity_type']) =>
      new Set(ofBoard.filter(({ entity_type }) => entity_type === kind).map(({ entity_id }) => entity_id))
    for (const { entity_type, entity_id, ref } of ofBoard)
      for (const name of [entity_id, ref])
        if (name !== null) void queries.invalidateQueries({ queryKey: keys.record(entity_type, name) })
    for (const { ref } of ofBoard) if (ref !== null) void queries.invalidateQueries({ queryKey: keys.reference(ref) })
    for (const kind of new Set(ofBoard.map(({ entity_type }) => entity_type)))
      if (kind !== 'card') void queries.invalidateQueries({ queryKey: keys.list(boardId, kind) })
    // The time of a repository's last event changes with each event.
    for (const derived of ['events', 'analytics', 'lineage', 'dependencies', 'overlaps', 'repository'])
      void queries.invalidateQueries({ queryKey: keys.list(boardId, derived) })
    void queries.invalidateQueries({ queryKey: keys.board(boardId), exact: true })
    void refreshCards(queries, boardId, idsOf('card'))
    void refreshCardsOf(queries, boardId, idsOf('spec'))
    refreshGraphSoon(queries, boardId)
    // Shares, grants, test reports, templates and the views that everybody sees are all events of the board.
    if (idsOf('board').size > 0) {
      void refreshRights(queries, boardId)
      void queries.invalidateQueries({ queryKey: keys.list(boardId, 'views') })
      void queries.invalidateQueries({ queryKey: keys.list(boardId, 'names') })
      void queries.invalidateQueries({ queryKey: keys.list(boardId, 'templates') })
      void queries.invalidateQueries({ queryKey: keys.list(boardId, 'test_report') })
    }
    // Which cards a sprint unlocks depends on all sprints of its spec (cards 4.3).
    if (idsOf('sprint').size > 0) void refreshAllCards(queries, boardId)
  }
  void refreshRelated(queries)
  markChanged(new Set(events.map(event => event.entity_id)))
}
