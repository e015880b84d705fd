/** A thread that writes the lines of one board to files (`spoolBoard`), on a read-only connection of its own. */
import '@specboard/storage/prototypes'
import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { type RunFixed, readFixed } from '@specboard/storage/fixed-reader'
import { type ExternalAuthor, type NamedAgent, NamedAgents } from './authors.ts'
import { files } from './layout.ts'
import { BoardLines } from './lines.ts'
import type { Spool, SpooledAttachment, SpoolStart } from './spool.ts'
import { LineFile } from './spooled-lines.ts'

const { address, boardId, parts, into, form } = workerData as SpoolStart

async function spool(rows: RunFixed): Promise<Spool> {
  const { queries } = form
  const external = await rows<ExternalAuthor>(queries.externalAuthors, { board: boardId })
  const local = await rows<NamedAgent & { readonly id: string }>(queries.agents)
  const byId = new Map(local.map(agent => [agent.id, agent]))
  const agents = new NamedAgents(external, id => byId.get(id))
  const lines = new BoardLines(rows, boardId, agents, form)
  const counts: Record<string, number> = {}
  const write = async (name: string, source: AsyncIterable<{ type?: unknown }>) => {
    const file = new LineFile(join(into, name))
    for await (const line of source) {
      counts[String(line.type)] = (counts[String(line.type)] ?? 0) + 1
      file.add(line)
    }
    return file.end()
  }
  const attachments: SpooledAttachment[] = []
  const records = await write(files.records, noting(lines.records(parts), attachments))
  const events = parts.events ? await write(files.events, lines.events()) : null
  const agentFile = new LineFile(join(into, files.agents))
  for (const line of agents.lines) agentFile.add(line)
  const [board] = await rows<Spool['board']>(queries.board, { board: boardId })
  const { id, key, name } = board!
  return { board: { id, key, name }, counts, records, events, agents: await agentFile.end(), attachments }
}

/** Passes lines on and collects the files of attachments. */
async function* noting(lines: AsyncIterable<Record<string, unknown>>, attachments: SpooledAttachment[]) {
  for await (const line of lines) {
    if (line.type === 'attachment') {
      const { id, filename, original_filename, sha256, size } = line as Record<string, unknown> & SpooledAttachment
      attachments.push({ id, filename, original_filename, sha256, size })
    }
    yield line
  }
}

parentPort!.postMessage(await readFixed(address, 1, spool))
