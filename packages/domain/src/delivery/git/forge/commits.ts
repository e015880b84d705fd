/** The commits of a push, in the form common to all forges (git 2). Pure. */
import type { ReportedCommit } from '../reported.ts'
import { at, idAt, listAt, maxLength, messageOf, shaAt, textAt, timeAt } from './fields.ts'

const pathsOf = (commit: unknown): string[] =>
  ['added', 'modified', 'removed']
    .flatMap(name => listAt(commit, name))
    .flatMap(path => (typeof path === 'string' ? [path] : []))

/** The commits that a push reports, on its branch, the oldest first: some forges list the newest first. */
export function commitsIn(payload: unknown, branch: string): ReportedCommit[] {
  const commits = reportedIn(payload, branch)
  return commits[0]?.sha === shaAt(payload, 'after') ? commits.toReversed() : commits
}

function reportedIn(payload: unknown, branch: string): ReportedCommit[] {
  return listAt(payload, 'commits').flatMap(commit => {
    const sha = shaAt(commit, 'id')
    if (sha === null) return []
    const message = at(commit, 'message')
    const isListed = ['added', 'modified', 'removed'].some(name => Array.isArray(at(commit, name)))
    return [
      {
        sha,
        ...messageOf(typeof message === 'string' ? message : ''),
        tree: shaAt(commit, 'tree_id'),
        author_name: textAt(commit, maxLength.name, 'author', 'name'),
        author_email: textAt(commit, maxLength.name, 'author', 'email'),
        author_login:
          textAt(commit, maxLength.login, 'author', 'username') ?? textAt(commit, maxLength.login, 'author', 'login'),
        committed_at: timeAt(commit, 'timestamp'),
        paths: isListed ? pathsOf(commit) : null,
        branch,
      },
    ]
  })
}

/** The repository in events of GitHub and similar forges. */
export const repositoryIn = (payload: unknown) => ({
  id: idAt(payload, 'repository', 'id'),
  name: textAt(payload, maxLength.url, 'repository', 'full_name'),
  defaultBranch: textAt(payload, maxLength.branch, 'repository', 'default_branch'),
})
