/** The context of agents: the files that cards are about, and who works on them (harness). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { PathPatterns } from '../path-patterns.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, paging, paging50, Ref, Text, Timestamp } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { allowOverlap } from './cards.ts'
import { Sha } from './evidence-tiers.ts'
import { ClaimStage, ClientSession, Overlap, SessionName } from './summaries.ts'

/** What reserves paths for somebody: a claimed card, or a reservation. */
const ScopeKind = z.enum(['card', 'reservation'])

/** Paths that are reserved without a card (harness 5.7). */
export const Reservation = z
  .object({
    id: Id,
    board_id: Id,
    paths: z.array(z.string()),
    note: Text,
    agent_id: Id,
    agent_name: z.string(),
    session: ClientSession.nullable(),
    repository_id: Id.nullable().describe('null: all of them'),
    overlaps: z.array(Overlap).nullable(),
    created_at: Timestamp,
    expires_at: Timestamp,
  })
  .meta({ id: 'Reservation' })

const PathsCheck = z
  .object({
    paths: z.array(z.string().min(1).max(1_000)).min(1).max(500).describe('files, from the root of the repository'),
    repository_id: Id.nullable().exactOptional().describe('id or name'),
    session: SessionName.exactOptional().describe('yours'),
  })
  .meta({ id: 'PathsCheck' })

const PathsChecked = z
  .object({
    paths: z
      .array(
        z.object({
          path: z.string(),
          claims: z.array(
            z.object({
              kind: ScopeKind,
              ref: Ref.nullable(),
              agent_name: z.string(),
              until: Timestamp,
              mine: z.boolean(),
            }),
          ),
        }),
      )
      .describe('those that somebody works on'),
    outside: z.array(z.string()).describe('those outside your scopes, if you have any'),
  })
  .meta({ id: 'PathsChecked' })

const PathsReserve = z
  .object({
    paths: PathPatterns.min(1).describe('patterns, as on a card'),
    note: z.string().max(500).nullable().exactOptional(),
    lease_seconds: z.int().min(60).max(86_400).default(1_800),
    repository_id: Id.nullable().exactOptional().describe('id or name; default: every one'),
    session: SessionName.nullable().exactOptional(),
    ...allowOverlap,
  })
  .meta({ id: 'PathsReserve' })

const keywords = ['files', 'paths', 'scope', 'conflict', 'overlap', 'who works on']

/** A worker on a board, and its progress (harness 6). */
export const Worker = z
  .object({
    kind: z.enum(['session', 'run', 'agent']),
    id: z.string().describe('of the session or run, else the agent'),
    agent_id: Id,
    agent_name: z.string(),
    client: z.string().nullable(),
    model: z.string().nullable(),
    worktree: z.string().nullable(),
    branch: z.string().nullable(),
    cards: z.array(
      z.object({
        ref: Ref,
        title: z.string(),
        stage: ClaimStage,
        since: Timestamp,
        until: Timestamp,
        attempt: z.int().min(1),
        overlaps: z.array(Overlap).nullable(),
      }),
    ),
    last_seen_at: Timestamp.nullable(),
    state: z.enum(['working', 'quiet', 'waiting', 'ended']),
    usage: z.null().describe('until usage is recorded'),
    refusals: z
      .object({ last_hour: z.int().min(0), codes: z.record(z.string(), z.int()) })
      .nullable()
      .describe('null without AGENTS_READ'),
    run: z.null().describe('until there are runs'),
    last_event: z.object({ action: z.string(), ref: Ref.nullable(), at: Timestamp }).nullable(),
  })
  .meta({ id: 'Worker' })

const list_workers = operation({
  name: 'list_workers',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/workers',
  permission: 'BOARDS_READ',
  extension: true,
  title: 'List workers',
  description: 'List who works on a board now, on which cards, and whose calls are refused.',
  params: { board_id: Id },
  query: paging50,
  list: Worker,
  errors: [],
  keywords: [...keywords, 'worker', 'status', 'stuck', 'idle', 'silent', 'agents'],
})

const check_paths = operation({
  name: 'check_paths',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/paths/check',
  permission: 'CARDS_READ',
  extension: true,
  title: 'Check paths',
  description: 'Show who works on files now.',
  params: { board_id: Id },
  body: PathsCheck,
  response: PathsChecked,
  status: 200,
  errors: [],
  effect: 'read',
  keywords,
})

const list_overlaps = operation({
  name: 'list_overlaps',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/overlaps',
  permission: 'CARDS_READ',
  extension: true,
  title: 'List overlaps',
  description: 'List who works on the same paths, or on those of a plan.',
  params: { board_id: Id },
  query: {
    card_id: Id.optional(),
    paths: PathPatterns.optional().describe('patterns of a plan'),
    agent_id: Id.optional(),
    ...paging,
  },
  list: z.object({ a: Overlap.exactOptional(), b: Overlap }).meta({ id: 'OverlapPair' }),
  errors: [],
  keywords,
})

const reserve_paths = operation({
  name: 'reserve_paths',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/reservations',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Reserve paths',
  description: 'Reserve paths for work without a card, or renew that.',
  params: { board_id: Id },
  body: PathsReserve,
  response: Reservation,
  status: 201,
  errors: ['LIMIT_REACHED', 'PATHS_OVERLAP'],
  keywords: [...keywords, 'lock files', 'refactoring'],
})

const list_reservations = operation({
  name: 'list_reservations',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/reservations',
  permission: 'CARDS_READ',
  extension: true,
  title: 'List reservations',
  description: 'List the paths that are reserved on a board.',
  params: { board_id: Id },
  query: paging,
  list: Reservation,
  errors: [],
  keywords,
})

const release_paths = operation({
  name: 'release_paths',
  method: 'DELETE',
  path: '/api/v1/reservations/{reservation_id}',
  permission: 'CARDS_CLAIM',
  extension: true,
  title: 'Release paths',
  description: 'Release reserved paths.',
  params: { reservation_id: Id },
  errors: [],
  // Checked once the owner is known.
  asks: checkedByImplementation(
    { permission: 'CARDS_CLAIM' },
    { permission: 'BOARDS_UPDATE', part: "another agent's reservation" },
  ),
  keywords: [...keywords, 'unlock'],
})

/** The client events that hooks report (harness 3.2). */
export const HookEvent = z.enum([
  'session_start',
  'prompt',
  'before_edit',
  'before_shell',
  'after_shell',
  'claimed',
  'before_compact',
  'stop',
  'subagent_start',
  'subagent_stop',
  'session_end',
])

const digest = /^[0-9a-f]{64}$/

/** The SHA-256 of content that is not sent itself. */
const Digest = z.string().regex(digest, { error: 'must be 64 lower-case hexadecimal digits' })

const short = z.string().max(200).nullable().exactOptional()
const Count = z.int().min(0).max(Number.MAX_SAFE_INTEGER).nullable().exactOptional()

/** A field that programs send and models need not see: tools accept it, but tool lists omit it. */
function aside<Schema extends z.ZodType>(schema: Schema): Schema {
  const own = schema.clone()
  toolHints.add(own, { hidden: true })
  return own
}

/** A report by a client's hook: never a prompt, a model's answer, or the content of a file (harness 3.2). */
const HookReport = z
  .object({
    session: SessionName.describe("the client's id of the conversation"),
    client: z.string().min(1).max(40).nullable().exactOptional(),
    client_version: aside(z.string().max(40).nullable().exactOptional()),
    subagent: aside(short),
    model: short,
    source: short.describe('startup, resume, compact, …'),
    board_id: Id.nullable().exactOptional(),
    repository: aside(z.string().max(2_048).nullable().exactOptional().describe('its address')),
    branch: aside(z.string().max(255).nullable().exactOptional()),
    commit: aside(Sha.nullable().exactOptional()),
    dirty: aside(z.boolean().nullable().exactOptional().describe('not sent: taken as changed')),
    tree: aside(Sha.nullable().exactOptional()),
    worktree: aside(
      z
        .object({ hash: Digest.nullable().exactOptional(), name: z.string().max(255).nullable().exactOptional() })
        .nullable()
        .exactOptional(),
    ),
    paths: z.array(z.string().min(1).max(1_000)).max(100).nullable().exactOptional().describe('from the root'),
    tool_call: z.string().min(1).max(200).nullable().exactOptional(),
    command: z.string().min(1).max(2_000).nullable().exactOptional().describe('of a test run'),
    exit_code: z.int().min(-255).max(255).nullable().exactOptional(),
    unknown: aside(z.string().min(1).max(200).nullable().exactOptional().describe('why there is no exit_code')),
    duration_ms: aside(Count),
    output_sha256: aside(Digest.nullable().exactOptional()),
    output_bytes: aside(Count),
    output_tail: aside(z.string().max(8_192).nullable().exactOptional()),
    claimed: z.array(z.string().min(1).max(200)).max(50).nullable().exactOptional().describe('references of cards'),
    note: z.string().max(2_000).nullable().exactOptional().describe('what is known without reading texts'),
    reason: aside(short),
    stop_active: aside(z.boolean().nullable().exactOptional()),
    background: aside(z.boolean().nullable().exactOptional()),
  })
  .meta({ id: 'HookReport' })

const HookAnswer = z
  .object({
    context: Text.describe('for the model'),
    deny: z.string().max(300).nullable().describe('why the edit must not be made'),
    message: Text.describe('for the person'),
    claims: z
      .array(z.object({ ref: Ref, stage: ClaimStage, until: Timestamp }))
      .describe('claims that are bound to the session'),
    run_id: Id.nullable().describe('proof run'),
    wait_s: z.int().min(0).describe('do not ask again for this event before'),
    told: z.array(z.string()).describe('ids of inbox items in context'),
  })
  .meta({ id: 'HookAnswer' })

const report_hook = operation({
  name: 'report_hook',
  method: 'POST',
  path: '/api/v1/me/hooks/{event}',
  permission: '-',
  extension: true,
  title: 'Report hook',
  description: 'Report an event of a client. Programs call it: the hooks of clients.',
  params: { event: z.string().describe('session_start, prompt, before_edit, stop, …') },
  body: HookReport,
  response: HookAnswer,
  status: 200,
  errors: ['RATE_LIMITED'],
  effect: 'repeatable',
  keywords: ['hook', 'session', 'client', 'program'],
})

export const harness = {
  report_hook,
  list_workers,
  check_paths,
  list_overlaps,
  reserve_paths,
  list_reservations,
  release_paths,
} as const
