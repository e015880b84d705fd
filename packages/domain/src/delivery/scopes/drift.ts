/** Commits of a card that change files outside of its scope (harness 4.4). Pure. */
import type { Card } from '@specboard/contract'
import type { z } from 'zod'
import type { CommitPaths } from '../git/card-changes.ts'
import { isInScope } from './store.ts'

/**
 * The paths outside a card's scope that its commits changed; null without a scope, or if no paths of any commit are
 * known.
 */
export type ScopeDrift = z.input<typeof Card>['scope_drift']

/** Maximum number of paths and commits that are named. */
const max = { paths: 20, commits: 5 } as const

/** The paths outside the patterns of a card, of commits in the given order. */
export function driftOf(patterns: readonly string[], commits: readonly CommitPaths[]): ScopeDrift {
  if (patterns.length === 0 || commits.length === 0) return null
  const scope = { patterns, repository: null }
  const outside = new Set<string>()
  const leaving: string[] = []
  for (const { sha, repository, paths } of commits) {
    const outsidePaths = paths.filter(path => !isInScope(scope, { path, repository }))
    if (outsidePaths.length > 0) leaving.push(sha)
    for (const path of outsidePaths) outside.add(path)
  }
  return {
    outside: [...outside].slice(0, max.paths),
    outside_total: outside.size,
    commits: leaving.slice(0, max.commits),
  }
}
