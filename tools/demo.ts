/**
 * A delivery from idea to done on real input, over MCP: takes an epic with four of its children from a beads JSONL
 * file. A planner, two executors and a validator only know the board's key and their own API keys, and find their work
 * on their own; the owner answers a question in between. Then an executor says that its tests passed, and CI says
 * otherwise: its card is done once a report of CI proves it and its change is merged. Prints the calls, errors and
 * tokens of each agent; exits with 1 if a goal is missed.
 *
 * Usage: pnpm demo [file] [epic id] [--engine=postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCrew, members } from './demo/crew.ts'
import { plan } from './demo/plan.ts'
import { prove } from './demo/proof.ts'
import { printColumns, printCosts } from './demo/result.ts'
import { printStep, scene, shortened } from './demo/screen.ts'
import { execute, finish, open, resume, review } from './demo/work.ts'
import { type BacklogIssue, blockersOf, childrenOf, readBacklog } from './lab/data/backlog.ts'
import { databasesOf } from './lab/harness/databases.ts'
import { startService } from './lab/harness/service.ts'

/** Children of the epic that are delivered, a card each. */
const pieces = 4

const { values, positionals } = parseArgs({ options: { engine: { type: 'string' } }, allowPositionals: true })
const [file, epicId] = positionals
const issues = readBacklog(file)
const epic = chooseEpic(issues, epicId)
const children = childrenOf(issues, epic.id).slice(0, pieces)

await using databases = await databasesOf(values.engine)
const folder = mkdtempSync(join(tmpdir(), 'specboard-demo-'))
const server = await startService(folder, (await databases.make()).environment)
try {
  scene(`Specboard on ${server.url}`)
  printStep('owner', `takes the epic ${epic.id} and ${children.length} of its children`, shortened(epic.title, 60))
  const { crew, key, client } = await createCrew(server.url, server.key!)
  const { owner, planner, executors, validator } = crew
  await plan(planner, owner, key, epic, children)
  const resumed = await resume(validator)
  const spec_id = await open(validator)
  scene('5. The work, side by side')
  await Promise.all([...executors.map(executor => execute(executor, key)), review(validator, key, spec_id)])
  await finish(validator, spec_id)
  await printColumns(client, key)
  const { status } = await client.getSpec({ spec_id })
  const isProved = await prove(server.url, server.key!)
  if (!printCosts(members(crew), { specStatus: status, resumed, isProved })) process.exitCode = 1
  await Promise.all(members(crew).map(agent => agent.leave()))
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
