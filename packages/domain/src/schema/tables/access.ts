/** Who may do what: agents, presets, boards and the ways to them. */
import type { BoardSettings } from '@specboard/contract'
import type { z } from 'zod'
import { flag, json, nullable, ofBoard, oneOf, text, whole } from '../columns.ts'
import type { Flags } from '../contents.ts'
import { type RowOf, table } from '../table.ts'
import type { PrincipalKind } from './shared.ts'

export const agents = table({
  name: 'agents',
  columns: {
    id: text,
    name: text,
    kind: oneOf<PrincipalKind>(),
    /** The name used to mention it; null for a deleted one. */
    handle: nullable(text),
    /** Set only for a person. */
    email: nullable(text),
    description: nullable(text),
    objective: nullable(text),
    is_active: flag,
    preset_id: nullable(text),
    permission_flags: nullable(json<Flags>()),
    key_hash: nullable(text),
    api_key_prefix: text,
    /** When the key expires; null for never. */
    key_expires_at: nullable(text),
    /** The key before this one, while both are valid. */
    former_key_hash: nullable(text),
    former_key_until: nullable(text),
    /**
     * For a pipeline: who was shown its key and may work on cards, and so might vouch for itself (evidence 1, rule 3).
     */
    key_seen_by: nullable(text),
    /** Who disabled the agent; null when it is active or when that is unknown. */
    disabled_by: nullable(text),
    /** Incremented when the agent is disabled; sessions and links are signed with it, so that earlier ones stay ended. */
    session_generation: whole,
    created_by: text,
    created_at: text,
    last_used_at: nullable(text),
    deleted_at: nullable(text),
  },
})
export type AgentsTable = RowOf<typeof agents>

export const presets = table({
  name: 'presets',
  columns: {
    id: text,
    owner_id: nullable(text),
    name: text,
    description: text,
    is_builtin: flag,
    base_preset_id: nullable(text),
    /** The complete map of all permission names. */
    flags: json<Flags>(),
    /** Incremented by every write; bases resolved from the flags are cached by it. */
    revision: whole,
    created_at: text,
    updated_at: text,
  },
})
export type PresetsTable = RowOf<typeof presets>

export const boards = table({
  name: 'boards',
  type: 'board',
  title: 'name',
  archived: 'board',
  columns: {
    id: text,
    name: text,
    description: text,
    owner_id: text,
    settings: json<Partial<z.output<typeof BoardSettings>>>(),
    /** The prefix of references to its records. */
    key: text,
    /** The sequence number of the board's last event. */
    seq: whole,
    /** The number of the board's last record. */
    last_number: whole,
    created_at: text,
    updated_at: text,
  },
})
export type BoardsTable = RowOf<typeof boards>

/** Former keys of boards, kept until another board takes them (work 1). */
export const formerBoardKeys = table({
  name: 'former_board_keys',
  key: ['key'],
  removed: 'at once',
  columns: {
    key: text,
    board_id: ofBoard,
  },
})

/** The number of a deleted record, whose events keep its reference. */
export const deletedNumbers = table({
  name: 'deleted_numbers',
  key: ['entity_id'],
  removed: 'in pieces',
  columns: {
    entity_id: text,
    board_id: ofBoard,
    number: whole,
  },
})

/** The highest number that a record ever gave to a part of a kind (crew 8.2). */
export const partNumbers = table({
  name: 'part_numbers',
  key: ['owner_id', 'letter'],
  removed: 'in pieces',
  columns: {
    owner_id: text,
    letter: text,
    board_id: ofBoard,
    last: whole,
  },
})

export const grants = table({
  name: 'grants',
  removed: 'at once',
  columns: {
    id: text,
    agent_id: text,
    board_id: ofBoard,
    granted_by: text,
    granted_at: text,
    permission_overrides: nullable(json<Flags>()),
  },
})
export type GrantsTable = RowOf<typeof grants>

export const shares = table({
  name: 'shares',
  removed: 'at once',
  columns: {
    id: text,
    board_id: ofBoard,
    user_id: text,
    permission: oneOf<'viewer' | 'editor' | 'admin'>(),
    shared_by: text,
    created_at: text,
  },
})
export type SharesTable = RowOf<typeof shares>

/** A share that a person has through groups at an identity provider; it follows the groups (people 2.1). */
export const groupShares = table({
  name: 'group_shares',
  key: ['share_id'],
  columns: {
    share_id: text,
    person_id: text,
    provider: text,
  },
})

/** A grant or share that a person lent an agent, which follows the person's own access to the board. */
export const lentWays = table({
  name: 'lent_ways',
  key: ['way_id'],
  columns: {
    way_id: text,
    agent_id: text,
    person_id: text,
    board_id: text,
  },
})
export type LentWaysTable = RowOf<typeof lentWays>
