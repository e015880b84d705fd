/**
 * What agents brought into repositories: commits and merged pull requests, by the agents that their authors correspond
 * to (git 8, 9).
 */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { Authors } from '../../delivery/git/authors.ts'
import type { Context } from '../../kernel/context.ts'
import { hot } from '../../schema/hot.ts'
import { sameBoard } from '../../schema/same-board.ts'
import { hoursBetween, mean } from './measures.ts'
import { boundsOf, type Range } from './periods.ts'

/** What one agent brought into repositories. */
export interface AgentChanges {
  readonly commits: number
  /**
   * One entry per pull request: the hours from the start of its card to the merge; null if none of its cards was
   * started here.
   */
  readonly merges: readonly (number | null)[]
}

interface CommitAuthor {
  readonly email: string | null
  readonly login: string | null
  readonly repository_id: string
}

interface Within {
  board: string
  from: string
  to: string
}

const commitCounts = hot<Within, CommitAuthor & { commits: number }>(
  (_, param) => sql<CommitAuthor & { commits: number }>`select c.author_email as email, c.author_login as login,
      c.repository_id, count(*) as commits
    from changes c
    where c.board_id = ${param('board')} and c.kind = 'commit' and c.state <> 'vanished'
      and c.happened_at >= ${param('from')} and c.happened_at <= ${param('to')}
    group by 1, 2, 3`,
)

const mergedAt = dialect.jsonText(sql.ref<string | null>('c.content'), 'merged_at')

const movedTo = dialect.jsonText(sql.ref<string | null>('e.details'), 'to_status')

interface Merge extends CommitAuthor {
  readonly merged_at: string
  readonly started_at: string | null
}

const merges = hot<Within, Merge>(
  (_, param) => sql<Merge>`select c.author_email as email, c.author_login as login, c.repository_id,
      ${mergedAt} as merged_at,
      (select min(e.created_at) from change_links l join events e on e.card_id = l.entity_id and ${sameBoard('e', 'l')}
        where l.change_id = c.id and l.is_undone = 0 and l.entity_type = 'card'
          and e.action = 'card_moved' and e.imported = 0 and ${movedTo} = 'started') as started_at
    from changes c
    where c.board_id = ${param('board')} and c.kind = 'pull_request' and c.state = 'merged'
      and ${mergedAt} >= ${param('from')} and ${mergedAt} <= ${param('to')}`,
)

/**
 * What the agents of a board brought into repositories within a range, by agent; authors that are not agents of the
 * board are left out. Null for a caller that may not read changes (git 9).
 */
export async function readAgentChanges(
  { db, boardId: board, access }: Context,
  range: Range,
): Promise<ReadonlyMap<string, AgentChanges> | null> {
  if (!access.allows('CHANGES_READ')) return null
  const within = { board, ...boundsOf(range) }
  const [authors, commits, merged] = [
    await Authors.of(db, board),
    await commitCounts(db, within),
    await merges(db, within),
  ]
  const agentOf = ({ email, login, repository_id }: CommitAuthor) =>
    authors.find({ email, login }, repository_id).agent?.id
  const commitsOf = Map.groupBy(commits, agentOf)
  const mergesOf = Map.groupBy(merged, agentOf)
  const found = new Map<string, AgentChanges>()
  for (const agent of new Set([...commitsOf.keys(), ...mergesOf.keys()])) {
    if (agent === undefined) continue
    found.set(agent, {
      commits: (commitsOf.get(agent) ?? []).reduce((sum, row) => sum + row.commits, 0),
      merges: (mergesOf.get(agent) ?? []).map(({ started_at, merged_at }) =>
        started_at === null ? null : Math.max(0, hoursBetween(started_at, merged_at)),
      ),
    })
  }
  return found
}

/** The figures of the ranking; null if the caller may not read changes. */
export const changeFigures = (changes: ReadonlyMap<string, AgentChanges> | null, agent: string) => ({
  commits: changes === null ? null : (changes.get(agent)?.commits ?? 0),
  merged_pull_requests: changes === null ? null : (changes.get(agent)?.merges.length ?? 0),
  hours_to_merge: mean(changes?.get(agent)?.merges ?? []),
})
