/** Repositories and their changes (git). */
import type {
  ChangeKind,
  ChangeState,
  ConfirmedBy,
  Forge,
  ForgeDeliveryStatus,
  LinkedEntity,
  LinkedHow,
  RecognisedIn,
} from '@specboard/contract'
import type { z } from 'zod'
import { author, flag, id, idBy, json, jsonObject, listOf, nullable, ofBoard, oneOf, text, whole } from '../columns.ts'
import type { ChangeContent, FormerSecret, StoredCiRun, StoredCiTrust } from '../contents.ts'
import { type RowOf, table } from '../table.ts'

/** The state of a check. */
type CheckState = 'success' | 'neutral' | 'skipped' | 'failure' | 'cancelled' | 'pending'

/** Repositories of boards (git 1). */
export const repositories = table({
  name: 'repositories',
  archived: 'repository',
  removed: 'with the board',
  columns: {
    id: text,
    board_id: ofBoard,
    name: text,
    /** The name and the path prefix in lower case: unique on a board. */
    name_key: text,
    url: text,
    forge: oneOf<z.output<typeof Forge>>(),
    default_branch: text,
    path_prefix: nullable(text),
    recognise: listOf<typeof RecognisedIn>(),
    required_checks: json<string[]>(),
    /** Encrypted with the key of the data folder. */
    secret: text,
    /** The former secrets that are still accepted, encrypted, newest first. */
    former_secrets: json<FormerSecret[]>(),
    /** Who was shown the secret, unless that was a present person (git 6). */
    secret_seen_by: nullable(text),
    require_signature: flag,
    active: flag,
    /** The forge's number for it; null until a verified event contains it. */
    forge_id: nullable(text),
    /** How many events with a bad signature arrived, by hour, and when the first of each did. */
    refusals: json<{ readonly hour: string; readonly count: number; readonly first?: string }[]>(),
    synced_at: nullable(text),
    last_delivery_at: nullable(text),
    /** The CI tokens that the repository accepts (evidence 6.2). */
    ci: nullable(json<StoredCiTrust>()),
    /** Their issuer, for look-ups. */
    ci_issuer: nullable(text),
    created_by: author,
    created_at: text,
    updated_at: text,
  },
})
export type RepositoriesTable = RowOf<typeof repositories>

/** Commits, branches and pull requests of repositories (git). */
export const changes = table({
  name: 'changes',
  searched: 'change',
  archived: 'change',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    repository_id: id('repositories'),
    kind: oneOf<z.output<typeof ChangeKind>>(),
    /** Its identity within its repository: sha, name of the branch, number of the pull request. */
    key: text,
    title: text,
    state: oneOf<z.output<typeof ChangeState>>(),
    author_name: nullable(text),
    /** In lower case. */
    author_email: nullable(text),
    author_login: nullable(text),
    confirmed_by: nullable(oneOf<z.output<typeof ConfirmedBy>>()),
    /** Who was shown the secret or key that confirmed it, unless that was a present person (git 6). */
    seen_by: nullable(text),
    is_external: flag,
    is_linked: flag,
    /** 1 for a commit without a link that is kept for its order alone: no caller sees it. */
    is_bare: flag,
    files_changed: nullable(whole),
    additions: nullable(whole),
    deletions: nullable(whole),
    patch_id: nullable(text),
    /** Of a pull request: the branch that it comes from, its head and the commit that merged it. */
    source_branch: nullable(text),
    head: nullable(text),
    merge_commit: nullable(text),
    /** The content specific to its kind. */
    content: json<ChangeContent>(),
    /** When it was made: lists are in this order. */
    happened_at: text,
    created_at: text,
    updated_at: text,
  },
})
export type ChangesTable = RowOf<typeof changes>

/** Links from changes to records (git). */
export const changeLinks = table({
  name: 'change_links',
  key: ['change_id', 'entity_id'],
  archived: 'change_link',
  removed: 'in pieces',
  columns: {
    change_id: id('changes'),
    board_id: ofBoard,
    entity_type: oneOf<z.output<typeof LinkedEntity>>(),
    entity_id: idBy('entity_type'),
    how: oneOf<z.output<typeof LinkedHow>>(),
    /** 1 if somebody unlinked it: it stays unlinked when the change is seen again. */
    is_undone: flag,
    linked_by: author,
    linked_at: text,
  },
})
export type ChangeLinksTable = RowOf<typeof changeLinks>

/** Which commits are on which branches, and in which pull requests (git). */
export const branchCommits = table({
  name: 'branch_commits',
  key: ['branch_id', 'commit_id'],
  removed: 'in pieces',
  columns: {
    branch_id: id('changes'),
    commit_id: id('changes'),
    board_id: ofBoard,
    /** When it was added to the branch; null for entries older than this column. */
    placed_at: nullable(text),
  },
})
export type BranchCommitsTable = RowOf<typeof branchCommits>

/** The agents that authors were identified with by somebody (git). */
export const changeAuthors = table({
  name: 'change_authors',
  archived: 'author',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    repository_id: nullable(id('repositories')),
    email: nullable(text),
    login: nullable(text),
    agent_id: nullable(author),
    position: whole,
  },
})
export type ChangeAuthorsTable = RowOf<typeof changeAuthors>

/** Events that forges sent, for 30 days (git 2). */
export const forgeDeliveries = table({
  name: 'forge_deliveries',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    repository_id: id('repositories'),
    /** As the forge names it. */
    delivery_id: text,
    event: text,
    action: nullable(text),
    status: oneOf<z.output<typeof ForgeDeliveryStatus>>(),
    reason: nullable(text),
    received_at: text,
    processed_at: nullable(text),
    attempts: whole,
    /** When it is tried next; null when it is not queued. */
    next_attempt_at: nullable(text),
    repeats: whole,
    size: whole,
    changes: whole,
    links: whole,
    /** Its body, until it has been processed. */
    payload: nullable(text),
    /** Who was shown the secret that signed it, unless that was a present person. */
    seen_by: nullable(text),
  },
})
export type ForgeDeliveriesTable = RowOf<typeof forgeDeliveries>

/** The newest state of each check at a commit (git 2). */
export const changeChecks = table({
  name: 'change_checks',
  key: ['sha', 'repository_id', 'name'],
  removed: 'in pieces',
  columns: {
    repository_id: id('repositories'),
    sha: text,
    name: text,
    board_id: ofBoard,
    kind: oneOf<'check_run' | 'status' | 'workflow_run' | 'check_suite' | 'pipeline'>(),
    /** The suite that its runs belong to; null if the forge names none. */
    suite: nullable(text),
    state: oneOf<CheckState>(),
    attempt: whole,
    url: nullable(text),
    /** When it was completed, or else started. */
    at: text,
    /** Who was shown the secret of the event that reported it, unless that was a present person. */
    seen_by: nullable(text),
  },
})
export type ChangeChecksTable = RowOf<typeof changeChecks>

/** What kept a card from a move caused by a change, until it moves (git 7). */
export const automationRefusals = table({
  name: 'automation_refusals',
  key: ['card_id'],
  removed: 'in pieces',
  columns: {
    card_id: id('cards'),
    board_id: ofBoard,
    change_id: id('changes'),
    /** Whose change it is; null if unknown. */
    agent_id: nullable(text),
    from_status: text,
    to_status: text,
    /** When the card had entered its status. */
    moved_at: text,
    code: text,
    message: text,
    missing: json<unknown>(),
    cause: jsonObject(),
    /** The part of the report that the change provides. */
    report: jsonObject(),
    at: text,
  },
})
export type AutomationRefusalsTable = RowOf<typeof automationRefusals>

/** The session of a CI run, by the hash of its token (evidence 6.2). */
export const ciSessions = table({
  name: 'ci_sessions',
  key: ['token_hash'],
  removed: 'with the board',
  columns: {
    token_hash: text,
    board_id: ofBoard,
    repository_id: id('repositories'),
    /** The name it acts under, besides the id that follows from the repository. */
    name: text,
    run: json<StoredCiRun>(),
    expires_at: text,
    created_at: text,
  },
})
