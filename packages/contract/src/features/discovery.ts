/** Discovery: ready-made questions about a board, and searches by agents (planning 4). */
import { z } from 'zod'
import { withinFreeJson } from '../free-json.ts'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { namedWithin } from '../references.ts'
import { FreeObject, Id, paging, Ref, Timestamp } from '../shared.ts'

/** A ready-made question. */
export const DiscoveryIntent = z
  .object({
    id: Id,
    name: z.string(),
    label: z.string(),
    description: z.string().nullable(),
    category: z.string(),
    tool_binding: z.string(),
    params_schema: z
      .record(z.string(), z.object({ type: z.literal('text'), required: z.boolean(), label: z.string() }))
      .nullable(),
    renderer: z.literal('table'),
    min_permission: z.enum(['DISCOVERY_EXECUTE', 'KG_READ']),
    active: z.literal(true),
    is_seed: z.literal(true),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'DiscoveryIntent' })

/** A row of a result; `meta` always names the record that it links to. */
export const DiscoveryRow = z
  .object({
    id: z.string(),
    type: z.string(),
    title: z.string(),
    summary: z.string(),
    meta: z.looseObject({
      entity_type: z.enum(['card', 'spec', 'sprint', 'ideation', 'refinement', 'kg_node']).nullable(),
      entity_id: z.string().nullable(),
      ref: Ref.nullable().exactOptional(),
      entity_title: z.string().nullable(),
    }),
  })
  .meta({ id: 'DiscoveryRow' })

export const SavedSearch = z
  .object({
    id: Id,
    board_id: Id,
    name: z.string(),
    query: z.string().nullable(),
    intent_id: Id.nullable(),
    filters_json: FreeObject.nullable(),
    created_by: Id,
    created_at: Timestamp,
  })
  .meta({ id: 'SavedSearch' })

export const SearchHistoryEntry = z
  .object({
    id: Id,
    board_id: Id,
    user_id: Id,
    query: z.string().nullable(),
    intent_id: Id,
    result_count: z.int(),
    searched_at: Timestamp,
  })
  .meta({ id: 'SearchHistoryEntry' })

/** The arguments of a question; `card_id` may be a reference, as everywhere. */
const DiscoveryParams = z
  .record(z.string(), z.unknown())
  .check(withinFreeJson)
  .register(namedWithin, { card_id: 'card' })

export const DiscoveryExecute = z
  .object({
    board_id: Id.nullable().exactOptional(),
    params: DiscoveryParams.default({}).describe('texts, by the names in params_schema'),
    save_as: z.string().trim().min(1).max(200).exactOptional().describe('stores it as a saved search'),
  })
  .meta({ id: 'DiscoveryExecute' })

export const DiscoveryResult = z
  .object({
    rows: z.array(DiscoveryRow),
    columns: z.array(z.string()),
    total: z.int(),
    tool_binding: z.string(),
    params_echo: z.record(z.string(), z.string()),
    execution: z.enum(['real_tool', 'semantic_fallback']),
    intent_id: Id,
    intent_name: z.string(),
    summary: z.record(z.string(), z.int()).exactOptional(),
    message: z.string().exactOptional(),
    active_sprint_ids: z.array(Id).exactOptional(),
    warning: z.string().exactOptional(),
    saved_search: SavedSearch.exactOptional(),
  })
  .meta({ id: 'DiscoveryResult' })

const keywords = ['search', 'question', 'report']

const list_discovery_intents = operation({
  name: 'list_discovery_intents',
  method: 'GET',
  path: '/api/v1/discovery/intents',
  permission: 'DISCOVERY_READ',
  title: 'List discovery intents',
  description: 'List predefined questions about a board.',
  query: { category: z.string().optional(), ...paging },
  list: DiscoveryIntent,
  errors: [],
  keywords,
})

const list_saved_searches = operation({
  name: 'list_saved_searches',
  method: 'GET',
  path: '/api/v1/discovery/boards/{board_id}/saved-searches',
  permission: 'DISCOVERY_READ',
  title: 'List saved searches',
  description: 'List the saved searches of a board.',
  params: { board_id: Id },
  query: paging,
  list: SavedSearch,
  errors: [],
  keywords,
})

const list_search_history = operation({
  name: 'list_search_history',
  method: 'GET',
  path: '/api/v1/discovery/boards/{board_id}/search-history',
  permission: 'DISCOVERY_READ',
  title: 'List search history',
  description: 'List your latest searches on a board.',
  params: { board_id: Id },
  query: paging,
  list: SearchHistoryEntry,
  errors: [],
  keywords,
})

/** The implementation checks permissions: the board is in the body, and the needed ones depend on the intent. */
const execute_discovery_intent = operation({
  name: 'execute_discovery_intent',
  method: 'POST',
  path: '/api/v1/discovery/intents/{intent_id}/execute',
  permission: 'DISCOVERY_EXECUTE',
  title: 'Execute intent',
  description: 'Ask a predefined question about a board; returns a table.',
  params: { intent_id: z.string() },
  body: DiscoveryExecute,
  bodyOptional: true,
  response: DiscoveryResult,
  errors: ['VALIDATION_ERROR', 'NAME_TAKEN', 'LIMIT_REACHED'],
  asks: checkedByImplementation(
    { permission: 'DISCOVERY_EXECUTE' },
    { permission: 'KG_READ', part: 'intents about the knowledge graph' },
  ),
  keywords: [...keywords, 'blockers', 'coverage', 'mentions', 'activity'],
})

export const discovery = {
  list_discovery_intents,
  list_saved_searches,
  list_search_history,
  execute_discovery_intent,
} as const
