/** Repositories of a board (git 1). */
import { z } from 'zod'
import { inForm } from '../forms.ts'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { countsBy, Id, paging, sent, Timestamp, withoutRepeats } from '../shared.ts'
import { TestPattern } from '../test-patterns.ts'

/** The forge of a repository; `plain` is a host without events. */
export const Forge = z.enum(['github', 'gitlab', 'gitea', 'forgejo', 'plain'])

/** Where references are recognised (git). */
export const RecognisedIn = z.enum(['trailer', 'branch', 'message', 'pull_request'])

export const ChangeKind = z.enum(['commit', 'branch', 'pull_request'])

export const ChangeState = z.enum(['open', 'merged', 'vanished', 'deleted', 'closed'])

/** The state of a card's changes (git 9). */
export const CardChangeState = z.enum(['none', 'branch', 'draft', 'open', 'merged', 'closed'])

/** How many cards of a spec or sprint have changes in each state. */
export const ChangeCounts = countsBy(CardChangeState).meta({ id: 'ChangeCounts' })

export const ChecksState = z.enum(['passing', 'failing', 'pending', 'none'])

/** The combined result of a change's checks. */
export const ChangeChecks = z.object({
  state: ChecksState,
  total: z.int().min(0),
  pending: z.int().min(1).exactOptional().describe('those that have not ended'),
  failing: z.array(z.string()),
})

/** The combined result of a pull request's reviews. */
export const ChangeReview = z.object({
  decision: z.enum(['approved', 'changes_requested', 'none']),
  approvals: z.int().min(0),
  requests: z.int().min(0),
})

/** The most trusted source of a change. */
export const ConfirmedBy = z.enum(['forge', 'ci', 'sync'])

/** The kinds of record that a change is linked to. */
export const LinkedEntity = z.enum(['ideation', 'refinement', 'spec', 'sprint', 'card'])

/** How a link was created (git). */
export const LinkedHow = z.enum(['trailer', 'branch', 'message', 'pull_request', 'manual', 'inherited'])

const Name = z
  .string()
  .min(1)
  .max(100)
  .refine(name => name.trim() !== '', inForm('not_blank'))

/** A folder that counts for commits, without a trailing slash. */
export const RepositoryPath = z
  .string()
  .min(1)
  .max(500)
  .refine(path => !path.startsWith('/') && !path.split('/').includes('..'), inForm('repository_path'))
  .overwrite(path => (path.endsWith('/') ? path.slice(0, -1) : path))
  .nullable()

const settable = {
  name: Name,
  url: z.string().min(1).max(2_048),
  forge: Forge,
  default_branch: z.string().min(1).max(255),
  path_prefix: RepositoryPath,
  recognise: list(RecognisedIn).overwrite(withoutRepeats as (words: z.output<typeof RecognisedIn>[]) => never),
  required_checks: z.array(TestPattern).max(50).overwrite(withoutRepeats),
  require_signature: z.boolean(),
  active: z.boolean(),
}

/** Maximum number of patterns in a trust. */
const maxPatterns = 50

const Patterns = z.array(z.string().min(1).max(500)).max(maxPatterns).overwrite(withoutRepeats)

/** The CI runs whose tokens are trusted for a repository (evidence 6.2). */
export const CiTrust = z
  .object({
    issuer: z.string(),
    audience: z.string(),
    subject: z.string(),
    trusted_refs: z.array(z.string()),
    trusted_workflows: z.array(z.string()),
    trusted_events: z.array(z.string()),
    environments: z.array(z.string()).describe('[] for any'),
    pinned_id: z.string().nullable().describe("the issuer's number of the repository"),
    set_by: Id,
    set_at: Timestamp,
  })
  .meta({ id: 'CiTrust' })

/** A trust in an archive: the service that reads it determines who set it, and pins no number (git 11). */
export const CiTrustLine = CiTrust.pick({
  issuer: true,
  audience: true,
  subject: true,
  trusted_refs: true,
  trusted_workflows: true,
  trusted_events: true,
  environments: true,
}).strict()

const CiTrustSet = z
  .object({
    issuer: z.string().min(1).max(2_048).describe('address of the issuer'),
    audience: z.string().min(1).max(200).exactOptional().describe('default: specboard:<board id>'),
    subject: z
      .string()
      .min(1)
      .max(500)
      .exactOptional()
      .describe('the repository as the issuer names it; default: from url'),
    trusted_refs: Patterns.exactOptional().describe('default: the default branch and its merge queue'),
    trusted_workflows: Patterns.default([]),
    trusted_events: Patterns.exactOptional().describe('default: pushes, pull requests, schedules, manual runs'),
    environments: Patterns.default([]),
  })
  .meta({ id: 'CiTrustSet' })
  .nullable()

const WebhookSecret = z.string().min(16).max(255)

export const Repository = z
  .object({
    id: Id,
    board_id: Id,
    name: z.string(),
    url: z.string(),
    forge: Forge,
    default_branch: z.string(),
    path_prefix: z.string().nullable(),
    recognise: z.array(RecognisedIn),
    required_checks: z.array(z.string()).describe('[] for all'),
    require_signature: z.boolean(),
    ci: CiTrust.nullable(),
    active: z.boolean(),
    webhook_path: z.string(),
    forge_id: z.string().nullable(),
    branches: z.array(z.object({ name: z.string(), head: z.string() })),
    synced_at: Timestamp.nullable(),
    last_delivery_at: Timestamp.nullable(),
    refused_count: z.int().min(0).describe('bad signatures in 24 h'),
    created_by: Id,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Repository' })

/** A repository with its secret, which is shown only once. */
const RepositorySecret = Repository.extend({
  webhook_secret: z.string().nullable().describe('null when an answer is replayed'),
}).meta({ id: 'RepositorySecret' })

const RepositoryCreate = z
  .object({
    name: Name.exactOptional().describe('default: the end of url'),
    url: settable.url,
    forge: Forge.exactOptional().describe('default: derived from a known host'),
    default_branch: settable.default_branch.default('main'),
    path_prefix: RepositoryPath.default(null),
    recognise: settable.recognise.default(RecognisedIn.options),
    required_checks: settable.required_checks.default([]),
    webhook_secret: WebhookSecret.exactOptional(),
    require_signature: z.boolean().default(false),
    ci: CiTrustSet.default(null).describe('whose CI tokens count'),
    active: z.boolean().default(true),
  })
  .meta({ id: 'RepositoryCreate' })

const RepositoryUpdate = z.object(sent({ ...settable, ci: CiTrustSet })).meta({ id: 'RepositoryUpdate' })

const RotateRepositorySecret = z
  .object({
    webhook_secret: WebhookSecret.exactOptional(),
    overlap_hours: z.int().min(0).max(168).default(24).describe('how long the old one is valid'),
  })
  .meta({ id: 'RotateRepositorySecret' })

const onBoard = { board_id: Id }
const onRepository = { repository_id: Id }
const keywords = ['git', 'forge', 'github', 'gitlab', 'repo']

const create_repository = operation({
  name: 'create_repository',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/repositories',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Create repository',
  description: 'Register a git repository of a board. The webhook secret is shown once.',
  params: onBoard,
  body: RepositoryCreate,
  response: RepositorySecret,
  status: 201,
  errors: ['VALIDATION_ERROR', 'REPOSITORY_EXISTS', 'LIMIT_REACHED'],
  secret: 'webhook_secret',
  keywords: [...keywords, 'register', 'connect'],
})

const list_repositories = operation({
  name: 'list_repositories',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/repositories',
  permission: 'REPOSITORIES_READ',
  extension: true,
  title: 'List repositories',
  description: 'List the repositories of a board by name.',
  params: onBoard,
  query: paging,
  list: Repository,
  errors: [],
  keywords,
})

const get_repository = operation({
  name: 'get_repository',
  method: 'GET',
  path: '/api/v1/repositories/{repository_id}',
  permission: 'REPOSITORIES_READ',
  extension: true,
  title: 'Get repository',
  description: 'Get a repository.',
  params: onRepository,
  response: Repository,
  errors: [],
  keywords,
})

const update_repository = operation({
  name: 'update_repository',
  method: 'PATCH',
  path: '/api/v1/repositories/{repository_id}',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Update repository',
  description: 'Update a repository, or switch it off and on.',
  params: onRepository,
  body: RepositoryUpdate,
  response: Repository,
  errors: ['VALIDATION_ERROR', 'REPOSITORY_EXISTS'],
  keywords: [...keywords, 'rename', 'disable', 'enable'],
})

const delete_repository = operation({
  name: 'delete_repository',
  method: 'DELETE',
  path: '/api/v1/repositories/{repository_id}',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Delete repository',
  description: 'Delete a repository with its changes and their links.',
  params: onRepository,
  errors: [],
  keywords,
})

const rotate_repository_secret = operation({
  name: 'rotate_repository_secret',
  method: 'POST',
  path: '/api/v1/repositories/{repository_id}/rotate-secret',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Rotate repository secret',
  description: 'Give a repository a new webhook secret, shown once. The old one stays valid for a while.',
  params: onRepository,
  body: RotateRepositorySecret,
  bodyOptional: true,
  response: RepositorySecret,
  status: 200,
  errors: [],
  secret: 'webhook_secret',
  keywords: [...keywords, 'signature', 'renew'],
})

export const repositories = {
  create_repository,
  list_repositories,
  get_repository,
  update_repository,
  delete_repository,
  rotate_repository_secret,
} as const
