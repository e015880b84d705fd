import {
  ChangeKind,
  ChangeState,
  CiTrustLine,
  Forge,
  LinkedEntity,
  LinkedHow,
  RecognisedIn,
  RepositoryPath,
  readAddress,
} from '@specboard/contract'
import { z } from 'zod'
import { changeAuthors, changeLinks, changes, repositories } from '../../schema/tables/git.ts'
import { author, column, texts } from './columns.ts'
import { kind } from './kind.ts'

const { id, nullableId, text, nullableText, nullableWhole, time } = column

const largestAddress = 2_048

/** An address without a password or token: addresses with one are never stored (git 1). */
const Address = z
  .string()
  .max(largestAddress)
  .refine(url => !('fault' in readAddress(url)), 'must be the address of a repository, without a password or token')

/** A repository without its secret, and without data from its forge; its `ci` without a pin (git 11). */
export const repository = kind(repositories, {
  columns: {
    id,
    name: z.string().min(1).max(100),
    url: Address,
    forge: Forge,
    default_branch: z.string().min(1).max(255),
    path_prefix: RepositoryPath,
    recognise: z.array(RecognisedIn),
    required_checks: texts,
    require_signature: z.boolean(),
    ci: { schema: CiTrustLine.nullable().optional(), form: 'trust', absent: null },
    created_by: author,
    created_at: time,
    updated_at: time,
  },
})

const late = <Of extends z.ZodType>(of: Of) => of.nullable().exactOptional()

/**
 * The content specific to a commit, a branch or a pull request, except whether commits are missing: after an import
 * they are.
 */
const Content = z.strictObject({
  body: late(z.string()),
  tree: late(z.string()),
  parents: late(texts),
  paths: late(texts),
  authored_at: late(z.string()),
  committed_at: late(z.string()),
  merged_at: late(z.string()),
  rewritten_as: late(z.string()),
  merged_as: late(z.string()),
  co_authors: z.array(z.strictObject({ name: z.string().nullable(), email: z.string() })).exactOptional(),
  draft: z.boolean().exactOptional(),
  target_branch: late(z.string()),
  merged_by: late(z.string()),
  reviews: z
    .record(z.string(), z.strictObject({ decision: z.enum(['approved', 'changes_requested', 'none']), at: z.string() }))
    .exactOptional(),
  queued: z.boolean().exactOptional(),
  commits: late(z.int()),
  told_at: z.string().exactOptional(),
  head: late(z.string()),
  last_push_at: late(z.string()),
  ahead: z.boolean().exactOptional(),
})

/** A change that is linked to a record; without its source, so that it counts for no gate. */
export const change = kind(changes, {
  columns: {
    id,
    repository_id: id,
    kind: ChangeKind,
    key: z.string().min(1).max(255),
    title: text,
    state: ChangeState,
    author_name: nullableText,
    author_email: nullableText,
    author_login: nullableText,
    is_external: z.boolean(),
    files_changed: nullableWhole,
    additions: nullableWhole,
    deletions: nullableWhole,
    patch_id: nullableText,
    source_branch: nullableText,
    head: nullableText,
    merge_commit: nullableText,
    content: { schema: Content, form: 'change' },
    happened_at: time,
    created_at: time,
    updated_at: time,
  },
})

export const changeLink = kind(changeLinks, {
  columns: {
    change_id: id,
    entity_type: LinkedEntity,
    entity_id: id,
    how: LinkedHow,
    is_undone: z.boolean(),
    linked_by: author,
    linked_at: time,
  },
})

/** The agent that somebody identified as an author of changes. */
export const changeAuthor = kind(changeAuthors, {
  columns: {
    id,
    repository_id: nullableId,
    email: nullableText,
    login: nullableText,
    agent_id: nullableText,
    position: z.int().min(0),
  },
})
