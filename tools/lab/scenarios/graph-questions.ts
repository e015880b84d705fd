/**
 * Imports a whole beads backlog, waits for the knowledge graph, and answers ten questions about it by search and
 * Cypher; each answer must match the lines of the file.
 */
import { isDeepStrictEqual } from 'node:util'
import { sampleBacklog } from '../data/backlog.ts'
import { fastGraph, graphBuilt } from '../data/graph-built.ts'
import { importBacklog } from '../data/imported-backlog.ts'
import { Backlog } from '../graph/backlog.ts'
import { questionsOf } from '../graph/questions.ts'
import { scenario } from '../harness/scenario.ts'

const maxLineLength = 90

export default scenario({
  summary: 'ten questions to the knowledge graph, by search and Cypher, are answered as a beads file says',
  engines: ['sqlite', 'postgres'],
  options: { file: sampleBacklog },
  word: 'file',
  run: async (lab, { file }) => {
    const backlog = new Backlog(file)
    const { client } = await lab.start('data', fastGraph)
    const { boardId, leftOut, issueOf } = await importBacklog(client, file)
    backlog.leaveOut(leftOut)
    await graphBuilt(client)
    for (const { text, answer, expected } of questionsOf(client, backlog, boardId, issueOf)) {
      const started = performance.now()
      const answered = await answer()
      const ms = Math.round(performance.now() - started)
      const same = isDeepStrictEqual(answered, expected)
      lab.report.figure(text, { ms, same: same ? 'ok' : 'DIFFERS' })
      lab.report.say(`  ${shortened(answered)}`)
      lab.report.expect(same, text)
      if (same) continue
      const [file, graph] = [shortened(without(expected, answered)), shortened(without(answered, expected))]
      lab.report.say(`  the file says ${file}, the graph ${graph}`)
    }
    const { length } = lab.report.broken
    lab.report.say(length === 0 ? 'The graph agrees with the file.' : `${length} answers differ.`)
  },
})

/** The members of a list that another list lacks or has in another place. */
function without(list: unknown, other: unknown): unknown {
  return Array.isArray(list) && Array.isArray(other) ? list.filter((member, index) => other[index] !== member) : list
}

/** The number of items in an answer, and the first of them. */
function shortened(answer: unknown): string {
  if (!Array.isArray(answer)) return String(answer)
  const text = answer.join(', ')
  return `${answer.length}: ${text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text}`
}
