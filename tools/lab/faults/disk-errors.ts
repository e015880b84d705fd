import { rmSync } from 'node:fs'
import { Trial } from '../durability/trial.ts'
import type { Lab } from '../harness/lab.ts'
import { progress } from '../harness/progress.ts'
import type { Service } from '../harness/service.ts'
import { type Fault, hasFailed, inject, tracerOf } from './inject.ts'
import { type FaultKind, faultKinds } from './kinds.ts'

/** The number of answered writes in each round. */
const answersInRound = 60

/** The outcome of the rounds of one kind. */
export interface KindOutcome {
  readonly kind: FaultKind
  rounds: number
  /** Rounds in which a call failed. */
  struck: number
  acknowledged: number
  refused: number
  /** Starts that were refused. */
  notStarted: number
}

/** The trial of some rounds, and their outcome by kind. */
export interface DiskErrors {
  readonly trial: Trial
  readonly outcomes: readonly KindOutcome[]
}

/**
 * Lets a call of each kind fail in turn while clients write, ends the server, and starts it without a fault: everything
 * that was acknowledged must then exist.
 */
export async function tryDiskErrors(lab: Lab, rounds: number): Promise<DiskErrors> {
  const trial = new Trial(lab)
  const outcomes = faultKinds.map(kind => ({ kind, rounds: 0, struck: 0, acknowledged: 0, refused: 0, notStarted: 0 }))
  const bar = progress('faults', rounds, () => ({ acknowledged: trial.ledger.acknowledged, lost: trial.counts.lost }))
  for (let round = 0; round < rounds; round++) {
    const server = await trial.start()
    // The threads for files are started by the first file.
    await trial.write(server, 20)
    const outcome = outcomes[round % outcomes.length]!
    const nth = 1 + Math.floor(Math.random() * outcome.kind.upTo)
    const fault = { kind: outcome.kind, nth, folder: trial.folder, trace: lab.path(`trace-${round}`) }
    const { acknowledged, refused } = trial.ledger
    const endedInOrder = Math.random() < 0.5
    const faulty = fault.kind.from === 'launch' ? await launchedWith(trial, server, fault) : server
    if (faulty === undefined) outcome.notStarted++
    else await writeWith(trial, faulty, fault, endedInOrder)
    outcome.rounds++
    outcome.struck += hasFailed(fault) > 0 ? 1 : 0
    outcome.acknowledged += trial.ledger.acknowledged - acknowledged
    outcome.refused += trial.ledger.refused - refused
    rmSync(fault.trace, { force: true })
    bar.step()
  }
  await trial.end()
  bar.end()
  return { trial, outcomes }
}

/** Restarts the server with the fault; undefined if it refuses to start. */
async function launchedWith(trial: Trial, server: Service, fault: Fault): Promise<Service | undefined> {
  await server.kill()
  return trial.launch(tracerOf(fault)).catch(() => undefined)
}

/** Writes while the fault waits for its call, then ends the server, either orderly or abruptly. */
async function writeWith(trial: Trial, server: Service, fault: Fault, endedInOrder: boolean): Promise<void> {
  const end = fault.kind.from === 'ready' ? await inject(server.child, fault) : async () => {}
  await trial.write(server, answersInRound)
  await end()
  await (endedInOrder ? server.stop() : server.kill())
}
