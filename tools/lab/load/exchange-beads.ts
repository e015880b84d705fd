import { existsSync, readFileSync } from 'node:fs'
import type { Lab } from '../harness/lab.ts'
import { sum } from '../harness/statistics.ts'
import { reportTaken } from './measured.ts'

/** Imports a number of lines, repeated from a beads file, twice into one board; reports the cost and the changes. */
export async function reportBeads(lab: Lab, path: string, lines: number): Promise<void> {
  if (!existsSync(path)) throw new Error(`There is no beads file at ${path}. Name one with --file=…`)
  const file = new File([repeated(readFileSync(path, 'utf8'), lines)], 'issues.jsonl')
  await lab.with('beads', async server => {
    const load = (label: string, goal: string, into: object) =>
      reportTaken(
        lab.report,
        `beads, ${lines} lines, ${label}`,
        server,
        () => server.client.importBoard({ file, ...into }),
        goal,
      )
    const first = await load('first run', '3 s', { name: 'Beads' })
    const second = await load('second run', 'no change', { board_id: first.board_id! })
    const changes = sum(Object.values(second.created)) + sum(Object.values(second.updated))
    lab.report.figure('beads', { created: sum(Object.values(first.created)), 'changes of the second run': changes })
  })
}

/** A number of lines of a beads file: its records repeated, each time with new ids. */
function repeated(text: string, lines: number): string {
  const issues = text.trim().split('\n')
  return Array.from({ length: lines }, (_, index) => {
    const round = Math.floor(index / issues.length)
    return renamed(JSON.parse(issues[index % issues.length]!), id => (round === 0 ? id : `${id}-r${round}`))
  }).join('\n')
}

/** The fields of an issue in the file that contain ids of issues. */
interface IssueLinks {
  readonly id: string
  readonly parent?: string | null
  readonly dependencies?: readonly { readonly issue_id?: string; readonly depends_on_id: string }[]
}

function renamed({ dependencies, parent, ...issue }: IssueLinks, rename: (id: string) => string): string {
  return JSON.stringify({
    ...issue,
    id: rename(issue.id),
    ...(parent && { parent: rename(parent) }),
    ...(dependencies && {
      dependencies: dependencies.map(link => ({
        ...link,
        ...(link.issue_id !== undefined && { issue_id: rename(link.issue_id) }),
        depends_on_id: rename(link.depends_on_id),
      })),
    }),
  })
}
