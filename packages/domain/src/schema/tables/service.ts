/** The service's own data: the event log, settings, sessions, nodes and webhooks. */
import type {
  AuditAction,
  AuditTarget,
  DeliveryStatus,
  Origin as OriginSchema,
  WebhookFormat,
} from '@specboard/contract'
import type { z } from 'zod'
import {
  anyId,
  author,
  flag,
  generated,
  id,
  json,
  jsonObject,
  nullable,
  ofBoard,
  oneOf,
  references,
  text,
  whole,
} from '../columns.ts'
import type { Change, DomainEvent, FormerSecret, KeptAnswer, RefusalCount, SessionMemory } from '../contents.ts'
import { type CountedKind, type RowOf, table } from '../table.ts'
import type { ActorVia, PrincipalKind } from './shared.ts'

/** The ways by which calls reach the service. */
export type Origin = z.output<typeof OriginSchema>

/** The event log: activity (`action`), histories (`history_action`) and domain events (`domain`). */
export const events = table({
  name: 'events',
  archived: 'history',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    /** Counted in the board's row; without gaps within a board. */
    seq: whole,
    /** The record that the entry is about. */
    entity_type: text,
    entity_id: anyId,
    /** The action in the board's activity; null when the entry is only in a history. */
    action: nullable(text),
    /** The action in the record's history; null when the entry is only in the activity. */
    history_action: nullable(text),
    card_id: nullable(anyId),
    actor_id: author,
    actor_name: text,
    /** The kind of the actor at the time; `agent` for entries older than kinds. */
    actor_type: generated(oneOf<PrincipalKind>()),
    /** The channel of the actor; null for entries older than this column, and for entries of an import. */
    actor_via: nullable(oneOf<ActorVia>()),
    details: nullable(jsonObject({ namesInside: true })),
    changes: nullable(json<Change[]>({ namesInside: true })),
    summary: nullable(text),
    version: nullable(whole),
    /** The `rev` of the record after the write; null for an entry of an earlier version, and for a record without one. */
    rev: nullable(whole),
    /** The domain events of the write. */
    domain: nullable(json<DomainEvent[]>({ namesInside: true })),
    /** 1 for an entry of an import: no webhook gets it (work 6). */
    imported: generated(flag),
    created_at: text,
    /**
     * Its position among the entries of all boards, in commit order; null for entries that are not news: written before
     * positions existed, or restored from an archive.
     */
    position: nullable(whole),
  },
})
export type EventsTable = RowOf<typeof events>

/** Entries of a board's event log that were moved to a file, or that an imported archive lacks (work 5.1). */
export const eventArchives = table({
  name: 'event_archives',
  key: ['board_id', 'file'],
  removed: 'in pieces',
  columns: {
    board_id: ofBoard,
    /** The name of the file in the folder of the board; empty for what an archive lacked. */
    file: text,
    /** The highest sequence number among them. */
    last_seq: whole,
    /** The last of their positions among the entries of all boards. */
    last_position: nullable(whole),
    /** How many entries were removed from the log. */
    entries: whole,
    created_at: text,
  },
})

/** Writes without a board: agents, presets, runtime settings. Names of changed fields only, never values. */
export const audit = table({
  name: 'audit',
  columns: {
    id: text,
    actor_id: text,
    actor_name: text,
    action: oneOf<z.output<typeof AuditAction>>(),
    target_type: oneOf<z.output<typeof AuditTarget>>(),
    target_id: text,
    /** The target's name at the time. */
    target_name: text,
    fields: json<string[]>(),
    /** Further facts, without secrets; null if there are none. */
    details: nullable(jsonObject()),
    /** The kind of the actor at the time; `agent` for entries older than kinds. */
    actor_type: generated(oneOf<PrincipalKind>()),
    /** The channel of the actor; null for entries older than this column. */
    actor_via: nullable(oneOf<ActorVia>()),
    /** The origin of the write. */
    origin: oneOf<Origin>(),
    created_at: text,
  },
})
export type AuditTable = RowOf<typeof audit>

/** Counters of the whole service, by name. */
export const counters = table({
  name: 'counters',
  key: ['name'],
  isSmall: true,
  columns: {
    name: oneOf<'events'>(),
    value: whole,
  },
})

export const runtimeSettings = table({
  name: 'runtime_settings',
  key: ['key'],
  isSmall: true,
  columns: {
    key: text,
    value: whole,
    updated_at: text,
  },
})

/** Secrets that the service generates once for itself, by name. */
export const secrets = table({
  name: 'secrets',
  key: ['name'],
  isSmall: true,
  columns: {
    name: text,
    value: text,
  },
})

export const idempotencyKeys = table({
  name: 'idempotency_keys',
  key: ['agent_id', 'path', 'key'],
  columns: {
    agent_id: text,
    path: text,
    key: text,
    body_hash: text,
    answer: json<KeptAnswer>(),
    created_at: text,
  },
})

/**
 * How many records of a board are in a status and a segment of their list; maintained by triggers (`list-counts.ts`). A
 * segment extends to the next one of its kind, regardless of status.
 */
export const listCounts = table({
  name: 'list_counts',
  key: ['board_id', 'kind', 'since', 'status', 'archived'],
  removed: 'with the board',
  columns: {
    board_id: ofBoard,
    kind: oneOf<CountedKind>(),
    /** Where the segment begins in the order of the list; empty for the first one. */
    since: text,
    status: text,
    archived: flag,
    count: whole,
  },
})

/** What a node has observed of workers (harness 6). */
export const workerSigns = table({
  name: 'worker_signs',
  key: ['node'],
  columns: {
    node: text,
    refusals: json<RefusalCount[]>(),
    /** Whose calls are waiting, and on which board. */
    waiting: json<(readonly [agentId: string, boardId: string])[]>(),
    written_at: text,
  },
})

/** A conversation of a client (harness 3.2). */
export const clientSessions = table({
  name: 'client_sessions',
  columns: {
    id: text,
    agent_id: text,
    /** The id that its client gave it. */
    name: text,
    /** The board that it last worked on. */
    board_id: nullable(text),
    client: nullable(text),
    client_version: nullable(text),
    model: nullable(text),
    /** The last folder of its work tree. */
    worktree: nullable(text),
    worktree_hash: nullable(text),
    repository: nullable(text),
    branch: nullable(text),
    commit_sha: nullable(text),
    memory: json<SessionMemory>(),
    started_at: text,
    last_event_at: text,
    /** When it expires. */
    expires_at: text,
  },
})
export type ClientSessionsTable = RowOf<typeof clientSessions>

/** MCP sessions that were ended or have subscriptions; `id_hash` is the SHA-256 of the session's token (mcp 3). */
export const mcpSessions = table({
  name: 'mcp_sessions',
  key: ['id_hash'],
  columns: {
    id_hash: text,
    agent_id: text,
    terminated_at: nullable(text),
    expires_at: text,
  },
})

/** The resources that a session subscribes to. */
export const mcpSubscriptions = table({
  name: 'mcp_subscriptions',
  key: ['id_hash', 'uri'],
  columns: {
    id_hash: references(text, 'mcp_sessions', 'id_hash'),
    uri: text,
  },
})

/** Used upload tickets that have not expired; `id_hash` is the SHA-256 of the ticket (mcp 10). */
export const mcpUsedTickets = table({
  name: 'mcp_used_tickets',
  key: ['id_hash'],
  columns: {
    id_hash: text,
    expires_at: text,
  },
})

/** The nodes that run on a shared database. */
export const nodes = table({
  name: 'nodes',
  stays: true,
  isSmall: true,
  columns: {
    id: text,
    /** When the others take over its work, by the clock of the database. */
    leased_until: text,
    /** The address on which it listens; empty and 0 if it does not listen. */
    host: text,
    port: whole,
    version: text,
    started_at: text,
    /** Its last sign of life, by the clock of the database. */
    seen_at: text,
  },
})
export type NodesTable = RowOf<typeof nodes>

/** What only one node at a time may hold, by name. */
export const leases = table({
  name: 'leases',
  key: ['name'],
  stays: true,
  isSmall: true,
  columns: {
    name: text,
    node_id: id('nodes'),
  },
})

/** A row that is written to check that writes succeed. */
export const writeProbes = table({
  name: 'write_probes',
  columns: {
    id: whole,
    /** ms. */
    at: whole,
  },
})

/** Webhooks of boards (work 6). */
export const webhooks = table({
  name: 'webhooks',
  removed: 'with the board',
  columns: {
    id: text,
    board_id: ofBoard,
    url: text,
    description: nullable(text),
    events: json<string[]>(),
    active: flag,
    format: oneOf<z.output<typeof WebhookFormat>>(),
    /** Encrypted with the key of the data folder. */
    secret: text,
    /** The previous secret, while both sign. */
    former_secret: nullable(text),
    former_secret_until: nullable(text),
    /** The secrets before that, newest first, while they also sign. */
    earlier_secrets: nullable(json<FormerSecret[]>()),
    /** How far the event log has been queued. */
    cursor: whole,
    created_by: text,
    created_at: text,
    updated_at: text,
    disabled_reason: nullable(text),
    last_success_at: nullable(text),
    last_failure_at: nullable(text),
    failing_since: nullable(text),
  },
})
export type WebhooksTable = RowOf<typeof webhooks>

/** What was or will be sent to a webhook, for 30 days. */
export const webhookDeliveries = table({
  name: 'webhook_deliveries',
  removed: 'in pieces',
  ofBoard: { through: 'webhook_id' },
  columns: {
    id: text,
    webhook_id: id('webhooks'),
    /** The `webhook-id` of the message. */
    message_id: text,
    /** Null for a ping. */
    event_sequence: nullable(whole),
    /** 1 when somebody requested it: it does not wait for earlier events, nor they for it. */
    asked: flag,
    status: oneOf<z.output<typeof DeliveryStatus>>(),
    attempts: whole,
    /** Null when it is not pending, or its webhook is switched off. */
    next_attempt_at: nullable(text),
    response_status: nullable(whole),
    response_excerpt: nullable(text),
    duration_ms: nullable(whole),
    created_at: text,
    delivered_at: nullable(text),
  },
})
export type WebhookDeliveriesTable = RowOf<typeof webhookDeliveries>
