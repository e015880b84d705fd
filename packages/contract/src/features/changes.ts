/** Changes of repositories, their links to records, and authors (git 3, 4, 5, 8). */
import { z } from 'zod'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { commaListOf, Id, Moment, paging, paging50, Ref, Timestamp } from '../shared.ts'
import { Sha } from './evidence-tiers.ts'
import {
  ChangeChecks,
  ChangeKind,
  ChangeReview,
  ChangeState,
  ConfirmedBy,
  LinkedEntity,
  LinkedHow,
} from './repositories.ts'

const halved = /[\uD800-\uDBFF]$/

/** A text that is cut to a maximum length. */
const cut = (max: number, text = z.string()) => text.overwrite(value => value.slice(0, max).replace(halved, ''))

/** Maximum number of parents of a merge: far more than git's own tools make. */
const maxParents = 1_000

const Author = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  login: z.string().nullable(),
  agent_id: Id.nullable(),
  agent_name: z.string().nullable(),
})

const ChangeLink = z.object({
  entity_type: LinkedEntity,
  id: Id,
  ref: Ref.nullable(),
  title: z.string(),
  how: LinkedHow,
  by: z.string(),
  at: Timestamp,
})

/** Members of commits only. */
const ofCommit = {
  sha: z.string().exactOptional(),
  tree: z.string().nullable().exactOptional(),
  parents: z.array(z.string()).nullable().exactOptional(),
  paths: z.array(z.string()).nullable().exactOptional(),
  authored_at: Timestamp.nullable().exactOptional(),
  committed_at: Timestamp.nullable().exactOptional(),
  branches: z.array(z.string()).exactOptional(),
  rewritten_as: z.string().nullable().exactOptional(),
  merged_as: z.string().nullable().exactOptional(),
}

/** Members of branches only. */
const ofBranch = {
  name: z.string().exactOptional(),
  is_default: z.boolean().exactOptional(),
  gap: z.boolean().exactOptional().describe('commits of it are missing'),
  last_push_at: Timestamp.nullable().exactOptional(),
  pull_request: z.int().nullable().exactOptional(),
}

/** Members of pull requests only. */
const ofPullRequest = {
  number: z.int().exactOptional(),
  draft: z.boolean().exactOptional(),
  source_branch: z.string().nullable().exactOptional(),
  target_branch: z.string().nullable().exactOptional(),
  merge_commit: z.string().nullable().exactOptional(),
  merged_by: z.string().nullable().exactOptional(),
  review: ChangeReview.exactOptional(),
  queued: z.boolean().exactOptional().describe('in the merge queue'),
  commits: z.int().min(0).nullable().exactOptional(),
}

export const GitChange = z
  .object({
    id: Id,
    board_id: Id,
    repository_id: Id,
    repository: z.string(),
    kind: ChangeKind,
    title: z.string(),
    url: z.string().nullable(),
    state: ChangeState,
    author: Author,
    co_authors: z.array(Author),
    confirmed_by: ConfirmedBy.nullable(),
    external: z.boolean().describe('from a fork'),
    checks: ChangeChecks,
    files_changed: z.int().nullable(),
    additions: z.int().nullable(),
    deletions: z.int().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
    links: z.array(ChangeLink),
    body: z.string().nullable().exactOptional(),
    head: z.string().nullable().exactOptional(),
    merged_at: Timestamp.nullable().exactOptional(),
    ...ofCommit,
    ...ofBranch,
    ...ofPullRequest,
  })
  .meta({ id: 'GitChange' })

const Count = z.int().min(0)

const ToldCommit = z.object({
  sha: Sha,
  parents: z.array(Sha).max(maxParents).exactOptional(),
  tree: Sha.nullable().exactOptional(),
  patch_id: Sha.nullable().exactOptional(),
  subject: cut(500, z.string().trim()).exactOptional(),
  body: cut(10_000).nullable().exactOptional(),
  author_name: cut(255).nullable().exactOptional(),
  author_email: cut(255).nullable().exactOptional(),
  committer_email: cut(255).nullable().exactOptional(),
  authored_at: Moment.nullable().exactOptional(),
  committed_at: Moment.nullable().exactOptional(),
  files_changed: Count.nullable().exactOptional(),
  additions: Count.nullable().exactOptional(),
  deletions: Count.nullable().exactOptional(),
  paths: list(cut(500)).nullable().exactOptional().describe('the first 100 are kept'),
  branch: cut(255).nullable().exactOptional(),
})

const ToldBranch = z.object({
  name: cut(255).min(1),
  head: Sha.nullable().exactOptional(),
  deleted: z.boolean().exactOptional(),
  forced: z.boolean().exactOptional(),
  is_default: z.boolean().exactOptional(),
})

const ChangesRecord = z
  .object({
    repository_id: Id.exactOptional().describe('id or name; default: the only one'),
    commits: list(ToldCommit).default([]),
    branches: list(ToldBranch).default([]),
    rewritten: list(z.object({ old: Sha, new: Sha })).default([]),
    vanished: list(Sha).default([]),
    complete: z.boolean().default(false).describe('branches are all there are'),
    shallow: z.boolean().default(false),
  })
  .meta({ id: 'ChangesRecord' })

const ChangesReport = z
  .object({
    created: Count,
    updated: Count,
    unchanged: Count,
    linked: Count,
    vanished: Count,
    problems: z.array(z.object({ sha: z.string(), reason: z.string() })),
  })
  .meta({ id: 'ChangesReport' })

export const AuthorSource = z.enum(['set', 'agent', 'none'])

const ChangeAuthor = z
  .object({
    repository_id: Id.nullable().describe('if set for that one only'),
    email: z.string().nullable(),
    login: z.string().nullable(),
    name: z.string().nullable(),
    agent_id: Id.nullable(),
    agent_name: z.string().nullable(),
    source: AuthorSource,
    commits: Count,
    last_at: Timestamp.nullable(),
  })
  .meta({ id: 'ChangeAuthor' })

const AuthorsPut = z
  .object({
    authors: z
      .array(
        z.object({
          email: z.string().min(1).max(255).nullable().exactOptional(),
          login: z.string().min(1).max(100).nullable().exactOptional(),
          repository_id: Id.nullable().exactOptional().describe('default: all'),
          agent_id: Id.nullable(),
        }),
      )
      .max(1_000),
  })
  .meta({ id: 'AuthorsPut' })

const onBoard = { board_id: Id }
const onChange = { change_id: Id }
const linked = { ...onChange, entity_type: z.string().describe(LinkedEntity.options.join(', ')), entity_id: Id }
const keywords = ['commit', 'branch', 'pull request', 'merge request', 'git', 'push']

export const record_changes = operation({
  name: 'record_changes',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/changes',
  permission: 'CHANGES_RECORD',
  extension: true,
  openToCi: true,
  title: 'Record changes',
  description: 'Report commits and branches of a repository; they are linked to the records that they name.',
  params: onBoard,
  body: ChangesRecord,
  response: ChangesReport,
  status: 200,
  errors: ['VALIDATION_ERROR'],
  effect: 'repeatable',
  keywords: [...keywords, 'sync'],
})

export const list_changes = operation({
  name: 'list_changes',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/changes',
  permission: 'CHANGES_READ',
  extension: true,
  title: 'List changes',
  description: 'List commits, branches and pull requests that are linked to records, newest first.',
  params: onBoard,
  query: {
    record: Id.optional().describe('sprint: of its cards; spec: also of its cards'),
    kind: commaListOf(ChangeKind.options).optional(),
    state: commaListOf(ChangeState.options).optional(),
    repository_id: Id.optional(),
    branch: z.string().max(255).optional(),
    sha: z
      .string()
      .min(7)
      .max(64)
      .regex(/^[0-9a-f]+$/, { error: 'must be hexadecimal digits' })
      .optional(),
    number: z.int().min(1).optional(),
    author: z.string().max(255).optional().describe('agent id, e-mail or unknown'),
    unlinked: z.boolean().default(false).describe('only those without a link'),
    since: Moment.optional(),
    ...paging50,
  },
  list: GitChange,
  errors: ['VALIDATION_ERROR'],
  keywords,
})

export const get_change = operation({
  name: 'get_change',
  method: 'GET',
  path: '/api/v1/changes/{change_id}',
  permission: 'CHANGES_READ',
  extension: true,
  title: 'Get change',
  description: 'Get a commit, branch or pull request with its links and checks.',
  params: onChange,
  response: GitChange,
  errors: [],
  keywords,
})

export const link_change = operation({
  name: 'link_change',
  method: 'POST',
  path: '/api/v1/changes/{change_id}/link/{entity_type}/{entity_id}',
  permission: 'CHANGES_LINK',
  extension: true,
  title: 'Link change',
  description: 'Link a change to a record of its board.',
  params: linked,
  response: GitChange,
  status: 200,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  effect: 'repeatable',
  keywords,
})

export const unlink_change = operation({
  name: 'unlink_change',
  method: 'POST',
  path: '/api/v1/changes/{change_id}/unlink/{entity_type}/{entity_id}',
  permission: 'CHANGES_LINK',
  extension: true,
  title: 'Unlink change',
  description: 'Unlink a change from a record; it is not linked again when seen.',
  params: linked,
  response: GitChange,
  status: 200,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  effect: 'repeatable',
  keywords,
})

export const list_authors = operation({
  name: 'list_authors',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/authors',
  permission: 'CHANGES_READ',
  reads: 'board',
  extension: true,
  title: 'List authors',
  description: 'List who wrote commits, and which agent each is.',
  params: onBoard,
  query: paging,
  list: ChangeAuthor,
  errors: [],
  keywords: ['commit', 'git', 'who', 'email'],
})

export const put_authors = operation({
  name: 'put_authors',
  method: 'PUT',
  path: '/api/v1/boards/{board_id}/authors',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Put authors',
  description: 'Set which agent each commit author is; replaces what was set.',
  params: onBoard,
  body: AuthorsPut,
  list: ChangeAuthor,
  status: 200,
  errors: ['VALIDATION_ERROR'],
  keywords: ['commit', 'git', 'who', 'email', 'map'],
})
