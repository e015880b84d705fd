/**
 * A delivery from idea to done on real input: takes an epic with its children from a beads JSONL file and lets an
 * owner, a spec writer, an executor, a validator and a QA agent take it through the board, over MCP or, with --http,
 * over HTTP.
 *
 * Usage: pnpm demo [--http] [file] [epic id]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BacklogIssue, blockersOf, childrenOf, readBacklog } from './backlog.ts'
import { startProduct } from './bench/processes.ts'
import { hire } from './demo/crew.ts'
import { deliver } from './demo/delivery.ts'
import { plan } from './demo/planning.ts'
import { printColumns, printLineage } from './demo/result.ts'
import { says, scene, shortened } from './demo/screen.ts'

const args = process.argv.slice(2)
const http = args.includes('--http')
const [file, epicId] = args.filter(argument => !argument.startsWith('--'))

const issues = readBacklog(file)
const epic = chooseEpic(issues, epicId)
const children = childrenOf(issues, epic.id).slice(0, 12)

const folder = mkdtempSync(join(tmpdir(), 'specboard-demo-'))
const server = await startProduct(folder)
try {
  scene(`Specboard on ${server.url}, through ${http ? 'HTTP' : 'MCP'}`)
  says(
    'owner',
    `takes the epic ${epic.id} with ${children.length} children from the backlog`,
    shortened(epic.title, 60),
  )
  const crew = await hire(server.url, server.key!, http, 'Delivery')
  const planned = await plan(crew, epic, children)
  await deliver(crew, planned, children)
  await printLineage(crew, planned)
  await printColumns(crew)
  await crew.leave()
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The epic with the id; without an id, the one with the most children, then with the most dependencies among them. */
function chooseEpic(all: readonly BacklogIssue[], id: string | undefined): BacklogIssue {
  const weight = (issue: BacklogIssue) => {
    const members = childrenOf(all, issue.id)
    const within = new Set(members.map(member => member.id))
    return members.length * 100 + members.flatMap(member => blockersOf(member, within)).length
  }
  const epics = all.filter(issue => issue.issue_type === 'epic')
  const chosen =
    id === undefined
      ? epics.map(issue => [weight(issue), issue] as const).sort((a, b) => b[0] - a[0])[0]?.[1]
      : all.find(issue => issue.id === id)
  if (chosen === undefined) throw new Error(`There is no ${id === undefined ? 'epic' : `issue ${id}`} in the backlog.`)
  return chosen
}
