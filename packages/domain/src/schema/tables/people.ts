/** Sign-in and authorized clients of people (people). */
import type { SessionVia } from '@specboard/contract'
import type { z } from 'zod'
import { flag, json, jsonObject, nullable, oneOf, text, whole } from '../columns.ts'
import { type RowOf, table } from '../table.ts'
import type { SharesTable } from './access.ts'

/** The one open link with which a person can sign in. */
export const signInLinks = table({
  name: 'sign_in_links',
  key: ['agent_id'],
  columns: {
    agent_id: text,
    token_hash: text,
    expires_at: text,
    /** How the person got it: from its creator, or by mail. */
    via: oneOf<'link' | 'mail'>(),
  },
})
export type SignInLinksTable = RowOf<typeof signInLinks>

/** Invitations of people (people). */
export const invitations = table({
  name: 'invitations',
  columns: {
    id: text,
    token_hash: text,
    name: nullable(text),
    email: nullable(text),
    preset_id: text,
    boards: json<{ readonly board_id: string; readonly share: SharesTable['permission'] }[]>(),
    invited_by: text,
    created_at: text,
    expires_at: text,
    accepted_at: nullable(text),
    accepted_by: nullable(text),
    revoked_at: nullable(text),
  },
})
export type InvitationsTable = RowOf<typeof invitations>

/** A session of a browser (people 2.4). */
export const webSessions = table({
  name: 'web_sessions',
  columns: {
    id: text,
    /** The hash of the id that the cookie holds. */
    hash: text,
    agent_id: text,
    via: oneOf<z.output<typeof SessionVia>>(),
    provider: nullable(text),
    present: flag,
    /** The hash of the key that it began with; empty if it needs none. */
    key_hash: text,
    /** How often its agent had been disabled when the session began. */
    generation: whole,
    started_at: text,
    last_used_at: text,
    address: text,
    browser: text,
    /**
     * The account at the provider, and the provider's name for the session; null if there is none, and for sessions
     * from before 0144.
     */
    provider_subject: nullable(text),
    provider_sid: nullable(text),
  },
})
export type WebSessionsTable = RowOf<typeof webSessions>

/**
 * An account at an identity provider with which a person signs in, identified by its issuer and subject (people 2.3).
 */
export const identities = table({
  name: 'identities',
  columns: {
    id: text,
    person_id: text,
    provider: text,
    issuer: text,
    subject: text,
    email: nullable(text),
    name: nullable(text),
    linked_at: text,
    last_used_at: text,
    /** The address that the provider last said it had verified. */
    verified_email: nullable(text),
  },
})
export type IdentitiesTable = RowOf<typeof identities>

/** What a person authorized an MCP client to do (people 3.5). */
export const connections = table({
  name: 'connections',
  columns: {
    id: text,
    client_id: text,
    client_name: text,
    /** The host of the client's metadata document; null for a registered client. */
    client_host: nullable(text),
    agent_id: text,
    person_id: text,
    /** The grant that its tokens belong to. */
    grant_id: text,
    scopes: oneOf<'read write' | 'read'>(),
    /** What the person chose, as the default for the next time. */
    choice: jsonObject(),
    confirm: flag,
    created_at: text,
    last_used_at: text,
    ended_at: nullable(text),
    ended_reason: nullable(text),
    /** Whether the person has yet to be notified that it ended (people 3.7). */
    unseen_end: flag,
  },
})
export type ConnectionsTable = RowOf<typeof connections>

/** The stored records of client authorization: tokens and codes, by the hash of the issued value. */
export const oauthRecords = table({
  name: 'oauth_records',
  key: ['kind', 'id'],
  columns: {
    kind: text,
    id: text,
    grant_id: nullable(text),
    uid: nullable(text),
    payload: jsonObject(),
    consumed_at: nullable(text),
    expires_at: text,
  },
})
export type OauthRecordsTable = RowOf<typeof oauthRecords>

/** A client that registered itself, or whose metadata document was read (people 3.6). */
export const oauthClients = table({
  name: 'oauth_clients',
  columns: {
    id: text,
    origin: oneOf<'registered' | 'document' | 'hand'>(),
    /** Encrypted, because it may contain a secret. */
    metadata: text,
    created_at: text,
    used_at: nullable(text),
    /** Until when the document need not be fetched again. */
    fresh_until: nullable(text),
  },
})
export type OauthClientsTable = RowOf<typeof oauthClients>
