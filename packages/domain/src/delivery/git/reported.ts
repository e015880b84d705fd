/** What Git or a forge reports (git 2, 5). */
import type { ChangeChecksTable } from '../../schema/tables.ts'

/** A reported commit; missing members are unknown. */
export interface ReportedCommit {
  readonly sha: string
  readonly parents?: readonly string[] | undefined
  readonly tree?: string | null | undefined
  readonly patch_id?: string | null | undefined
  readonly subject?: string | undefined
  readonly body?: string | null | undefined
  readonly author_name?: string | null | undefined
  readonly author_email?: string | null | undefined
  readonly author_login?: string | null | undefined
  readonly authored_at?: string | null | undefined
  readonly committed_at?: string | null | undefined
  readonly files_changed?: number | null | undefined
  readonly additions?: number | null | undefined
  readonly deletions?: number | null | undefined
  readonly paths?: readonly string[] | null | undefined
  readonly branch?: string | null | undefined
}

/** A reported branch. */
export interface ReportedBranch {
  readonly name: string
  readonly head?: string | null | undefined
  readonly deleted?: boolean | undefined
  readonly forced?: boolean | undefined
  readonly is_default?: boolean | undefined
  /** Whether more commits were added to it than were reported. */
  readonly gap?: boolean | undefined
  /** The forge's name for its author. */
  readonly login?: string | null
}

/** Everything in one report. */
export interface GitReport {
  readonly commits: readonly ReportedCommit[]
  readonly branches: readonly ReportedBranch[]
  readonly rewritten: readonly { readonly old: string; readonly new: string }[]
  readonly vanished: readonly string[]
  readonly complete: boolean
  readonly shallow: boolean
}

/** Commits added to a branch, or a branch that was created or deleted. */
export interface ReportedPush {
  readonly kind: 'push'
  readonly branch: string
  /** Null if not reported, and for a deleted branch. */
  readonly head: string | null
  readonly isDeleted: boolean
  readonly isForced: boolean
  /** The forge's name for who pushed; null if the event does not say. */
  readonly login: string | null
  /** Oldest first. */
  readonly commits: readonly ReportedCommit[]
  /** Whether there were more commits than were reported. */
  readonly isCut: boolean
}

/** One reviewer's verdict on a pull request; `none` withdraws it. */
export interface ReportedReview {
  readonly login: string
  readonly decision: 'approved' | 'changes_requested' | 'none'
  readonly at: string
}

/** A pull request as reported by an event. */
export interface ReportedPullRequest {
  readonly number: number
  readonly title: string
  readonly body: string | null
  readonly isDraft: boolean
  readonly state: 'open' | 'merged' | 'closed'
  readonly source: string | null
  readonly target: string | null
  readonly head: string | null
  /** Null before it is merged. */
  readonly mergeCommit: string | null
  readonly mergedAt: string | null
  readonly mergedBy: string | null
  /** Null if the event does not say. */
  readonly login: string | null
  /** Whether it comes from a fork. */
  readonly isExternal: boolean
  readonly commits: number | null
  readonly files: number | null
  readonly additions: number | null
  readonly deletions: number | null
  readonly createdAt: string | null
  readonly updatedAt: string | null
}

/** The state of a check at a commit. */
export type ReportedCheck = Pick<
  ChangeChecksTable,
  'sha' | 'name' | 'kind' | 'suite' | 'state' | 'attempt' | 'url' | 'at'
>

/** The contents of an event. */
export type ForgeEvent =
  | { readonly kind: 'ping' }
  | { readonly kind: 'ignored'; readonly reason: string }
  | ReportedPush
  | {
      readonly kind: 'pull_request'
      readonly request: ReportedPullRequest
      readonly review?: ReportedReview
      /** Whether it entered the merge queue, or left it. */
      readonly isQueued?: boolean
    }
  | { readonly kind: 'queue'; readonly number: number; readonly isQueued: boolean }
  | { readonly kind: 'check'; readonly check: ReportedCheck }

/** The repository that an event is about. */
export interface ReportedRepository {
  readonly id: string | null
  /** Including its owner: `acme/shop`. */
  readonly name: string | null
  readonly defaultBranch: string | null
}

/** An event that lacks required members. */
export class UnreadableEvent extends Error {}

/** An ignored event, with the reason. */
export const ignored = (reason: string) => ({ kind: 'ignored', reason }) as const
