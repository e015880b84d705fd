import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { inspectDatabase, openService } from '@specboard/domain'
import { findingsIn } from '../durability/findings.ts'
import { Ledger } from '../durability/ledger.ts'
import { Trial } from '../durability/trial.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import { Disk, type KeptData } from './disk.ts'
import { tracedCalls, traceEvents } from './trace.ts'

/** The writes before the trace, which leave a log behind. */
const writesBefore = 300

/** The length of a description, so that the log of the traced writes is written back, characters. */
const length = 6_000

/** The result of opening copies of a cut folder. */
export interface PowerCuts {
  readonly figures: readonly string[]
  /** The violations, in words. */
  readonly failures: readonly string[]
}

/**
 * A server whose file operations were traced, what its folder contained before, and what was acknowledged to its
 * clients.
 */
interface TracedServer {
  readonly folder: string
  /** A copy of the folder from before the trace. */
  readonly before: string
  readonly trace: string
  readonly ledger: Ledger
}

/** Traces a server and cuts its folder a number of times; see `pnpm faults --power`. */
export async function tryPowerCuts(lab: Lab, copies: number, writes: number): Promise<PowerCuts> {
  const traced = await traceWrites(lab, writes)
  const moments = await drawMoments(traced.trace, traced.folder, copies)
  const counts = { refused: 0, lost: 0, half: 0, alarms: 0, damaged: 0 }
  const acknowledged = new Ledger()
  const [disk, bar] = [diskBefore(traced), progress('power cuts', copies, () => counts)]
  const unsent = idsOf(traced.ledger)
  let index = 0
  let cuts = 0
  for await (const event of traceEvents(traced.trace)) {
    if (event.kind === 'sent') acknowledge(event.text, unsent, acknowledged)
    else disk.apply(event)
    for (const _ of moments.filter(moment => moment === index)) {
      const copy = lab.path('copy')
      disk.cut(copy, keptOf(cuts++))
      await judge(copy, acknowledged, counts)
      rmSync(copy, { recursive: true, force: true })
      bar.step()
    }
    index++
  }
  bar.end()
  return {
    figures: [
      `${index} traced operations, ${acknowledged.acknowledged} acknowledged, ${cuts} copies`,
      `lost ${counts.lost}, half ${counts.half}, not opened ${counts.refused}`,
      `false alarms ${counts.alarms}, damaged ${counts.damaged}`,
    ],
    failures: [
      ...Object.entries(counts).flatMap(([what, count]) => (count > 0 ? [`${what} ${count}`] : [])),
      ...(cuts < copies ? [`only ${cuts} copies`] : []),
      ...(acknowledged.acknowledged === 0 ? ['nothing acknowledged'] : []),
    ],
  }
}

/**
 * Kills a server while it writes, so that it leaves a log, and traces the next one from its start to its end.
 * @param writes those in the trace, which let the log be written back
 */
async function traceWrites(lab: Lab, writes: number): Promise<TracedServer> {
  const trial = new Trial(lab)
  const { folder, ledger } = trial
  const [before, trace] = [lab.path('before'), lab.path('trace')]
  const first = await trial.start()
  await trial.write(first, writesBefore)
  await first.kill()
  cpSync(folder, before, { recursive: true })
  const strace = ['strace', '-D', '-f', '-q', '-y', '-xx', '-s', '100000', '-o', trace]
  const server = await trial.launch([...strace, '-e', `trace=${tracedCalls.join(',')}`])
  await trial.write(server, writes, { length })
  await server.stop()
  // strace outlives the server for as long as it writes.
  while (!hasEnded(trace, server.child.pid!)) await new Promise(resolve => setTimeout(resolve, 100))
  return { folder, before, trace, ledger }
}

function hasEnded(trace: string, pid: number): boolean {
  return existsSync(trace) && readFileSync(trace).subarray(-4_096).toString('latin1').includes(`${pid} +++ exited`)
}

/** The disk of a traced server in its state before the trace, under the paths that the trace names. */
function diskBefore({ before, folder }: TracedServer): Disk {
  rmSync(folder, { recursive: true })
  cpSync(before, folder, { recursive: true })
  return new Disk(folder)
}

/** Draws after which events the power is cut: anywhere, and in every other case right after an answer was sent. */
async function drawMoments(trace: string, folder: string, copies: number): Promise<number[]> {
  const changes: number[] = []
  const answers: number[] = []
  let index = 0
  for await (const event of traceEvents(trace)) {
    if (event.kind === 'sent') answers.push(index)
    else if (event.path.startsWith(folder)) changes.push(index)
    index++
  }
  return Array.from({ length: copies }, (_, copy) => {
    const among = copy % 2 === 0 ? changes : answers
    return among[Math.floor(Math.random() * among.length)]!
  })
}

const keptOf = (cut: number): KeptData => (['some', 'nothing', 'some', 'all'] as const)[cut % 4]!

type Unsent = Map<string, (acknowledged: Ledger) => unknown>

/** The write that each id acknowledges, once it is sent to a client. */
function idsOf({ creations, files }: Ledger): Unsent {
  const unsent: Unsent = new Map()
  for (const creation of creations.values())
    if (creation.answer !== undefined)
      unsent.set(creation.answer.id, ledger => ledger.creations.set(creation.title, creation))
  for (const file of files) unsent.set(file.id, ledger => ledger.files.push(file))
  return unsent
}

const id = /"id\\?":\\?"([0-9a-f-]{36})/g

function acknowledge(text: string, unsent: Unsent, acknowledged: Ledger): void {
  for (const [, found] of text.matchAll(id)) {
    const note = unsent.get(found!)
    if (note === undefined) continue
    unsent.delete(found!)
    note(acknowledged)
    acknowledged.acknowledged++
  }
}

interface Counts {
  refused: number
  lost: number
  half: number
  alarms: number
  damaged: number
}

/** Opens a copy as a start would, and compares it with what was acknowledged by then. */
async function judge(folder: string, acknowledged: Ledger, counts: Counts): Promise<void> {
  const problems: string[] = []
  try {
    const opened = await openService({
      folder,
      version: 'power cut',
      workers: false,
      onProblem: problem => problems.push(problem),
    })
    await opened.close()
  } catch (error) {
    console.error(error)
    counts.refused++
    return
  }
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) counts.alarms++
  const { integrity, staleIndexes, brokenReferences } = await inspectDatabase(folder)
  if (integrity !== 'ok' || brokenReferences.total + staleIndexes.length > 0) counts.damaged++
  const { lost, half } = await findingsIn(folder, acknowledged)
  counts.lost += lost
  counts.half += half
}
