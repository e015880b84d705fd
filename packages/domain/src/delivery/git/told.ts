/** What git or a forge tells (git 2, 5). */
import type { ChangeChecksTable } from '../../schema/tables.ts'

/** A commit as it is told; what is missing is not known. */
export interface ToldCommit {
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

/** A branch as it is told. */
export interface ToldBranch {
  readonly name: string
  readonly head?: string | null | undefined
  readonly deleted?: boolean | undefined
  readonly forced?: boolean | undefined
  readonly is_default?: boolean | undefined
  /** Whether more commits came to it than were told. */
  readonly gap?: boolean | undefined
  /** Who made it, as the forge calls them. */
  readonly login?: string | null
}

/** What is told at once. */
export interface Told {
  readonly commits: readonly ToldCommit[]
  readonly branches: readonly ToldBranch[]
  readonly rewritten: readonly { readonly old: string; readonly new: string }[]
  readonly vanished: readonly string[]
  readonly complete: boolean
  readonly shallow: boolean
}

/** Commits that came to a branch, or a branch that was made or deleted. */
export interface ToldPush {
  readonly kind: 'push'
  readonly branch: string
  /** Null where nobody told it, and of a branch that was deleted. */
  readonly head: string | null
  readonly isDeleted: boolean
  readonly isForced: boolean
  /** Who pushed, as the forge calls them; null where the event does not tell it. */
  readonly login: string | null
  /** The oldest first. */
  readonly commits: readonly ToldCommit[]
  /** Whether there were more commits than were told. */
  readonly isCut: boolean
}

/** What one reviewer says of a pull request; `none` takes back what was said. */
export interface ToldReview {
  readonly login: string
  readonly decision: 'approved' | 'changes_requested' | 'none'
  readonly at: string
}

/** A pull request as an event tells it. */
export interface ToldPullRequest {
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
  /** Null where the event does not tell it. */
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

/** How a check at a commit stands. */
export type ToldCheck = Pick<ChangeChecksTable, 'sha' | 'name' | 'kind' | 'suite' | 'state' | 'attempt' | 'url' | 'at'>

/** What an event tells. */
export type ForgeEvent =
  | { readonly kind: 'ping' }
  | { readonly kind: 'ignored'; readonly reason: string }
  | ToldPush
  | {
      readonly kind: 'pull_request'
      readonly request: ToldPullRequest
      readonly review?: ToldReview
      /** Whether it came into the merge queue, or left it. */
      readonly isQueued?: boolean
    }
  | { readonly kind: 'queue'; readonly number: number; readonly isQueued: boolean }
  | { readonly kind: 'check'; readonly check: ToldCheck }

/** The repository that an event is about. */
export interface ToldRepository {
  readonly id: string | null
  /** With that of its owner: `acme/shop`. */
  readonly name: string | null
  readonly defaultBranch: string | null
}

/** An event that says less than it must. */
export class UnreadableEvent extends Error {}

/** What is left out, and why. */
export const ignored = (reason: string) => ({ kind: 'ignored', reason }) as const
