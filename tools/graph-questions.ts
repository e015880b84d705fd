/**
 * Imports a whole beads backlog, waits for the knowledge graph, and answers ten questions about it by search and
 * Cypher; each answer must match the lines of the file.
 *
 * Usage: pnpm run check:graph [file] [--engine=postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createClient } from '@specboard/client'
import { positionalsOf } from './bench/options.ts'
import { startProduct } from './bench/processes.ts'
import { databasesOf } from './databases.ts'
import { graphBuilt, hastyGraph } from './graph-built.ts'
import { Backlog } from './graph-questions/backlog.ts'
import { questionsOf } from './graph-questions/questions.ts'
import { importBacklog } from './imported-backlog.ts'

const shown = 90

const [file] = positionalsOf(process.argv)
const backlog = new Backlog(file)
await using databases = await databasesOf(process.argv)
const folder = mkdtempSync(join(tmpdir(), 'specboard-questions-'))
const server = await startProduct(folder, { ...hastyGraph, ...(await databases.make()).environment })
try {
  const client = createClient({ url: server.url, key: server.key! })
  const { boardId, leftOut, issueOf } = await importBacklog(client, file)
  backlog.leaveOut(leftOut)
  await graphBuilt(client)
  let differing = 0
  for (const { text, answer, expected } of questionsOf(client, backlog, boardId, issueOf)) {
    const started = performance.now()
    const answered = await answer()
    const took = Math.round(performance.now() - started)
    const same = isDeepStrictEqual(answered, expected)
    if (!same) differing++
    console.log(`${text}\n  ${shortened(answered)}  ${took} ms  ${same ? 'ok' : 'DIFFERS'}`)
    if (!same)
      console.log(
        `  the file says ${shortened(without(expected, answered))}, the graph ${shortened(without(answered, expected))}`,
      )
  }
  console.log(differing === 0 ? 'The graph agrees with the file.' : `${differing} answers differ.`)
  process.exitCode = differing > 0 ? 1 : 0
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** The members of a list that another list lacks or has in another place. */
function without(list: unknown, other: unknown): unknown {
  return Array.isArray(list) && Array.isArray(other) ? list.filter((member, index) => other[index] !== member) : list
}

/** The number of items in an answer, and the first of them. */
function shortened(answer: unknown): string {
  if (!Array.isArray(answer)) return String(answer)
  const text = answer.join(', ')
  return `${answer.length}: ${text.length > shown ? `${text.slice(0, shown)}…` : text}`
}
