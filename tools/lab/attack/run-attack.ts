import type { Service } from '../harness/service.ts'
import type { Attack } from './attack.ts'
import type { Figures } from './figures.ts'
import { type ReceivedAnswer, send } from './send.ts'
import type { Sender, Target } from './target.ts'

/** The time limits, ms (trust 1, walls 10). */
const slowestHealthMs = 250
const slowestWholeBodiesMs = 500
const maxProcessorMs = 50

/** What an attack runs against. */
export interface AttackSettings {
  readonly target: Target
  readonly figures: Figures
  readonly server: Service
  /** Whether times are reported but not checked. */
  readonly short: boolean
}

/** The result of an attack by one sender. */
export interface AttackResult {
  readonly answers: string
  /** Processor time per request of the most expensive variation, with its name. */
  readonly processor: string
  readonly p50: string
  readonly slowest: string
  /** The checks that failed, in words. */
  readonly faults: string[]
}

/** Sends all variations of an attack by one sender. */
export async function runAttack(
  attack: Attack,
  by: Sender,
  { target, figures, server, short }: AttackSettings,
): Promise<AttackResult> {
  const answered = attack.answers[by] ?? []
  // Calls without a key count as wrong keys, which are slowed, then refused.
  const allowed = by === 'nobody' && answered.includes(401) ? [...answered, 429] : answered
  const all: ReceivedAnswer[] = []
  const faults: string[] = []
  let costliest = { name: '', ms: 0 }
  let p50 = 0
  let slowest = 0
  for (const [name, sendIt] of Object.entries(attack.variations)) {
    const [result, cost] = await figures.of(() => sendIt(target, target.keys[by]))
    const answers: readonly ReceivedAnswer[] = 'status' in result ? [result] : result
    const wrong = new Set(answers.map(({ status }) => status).filter(status => !allowed.includes(status)))
    if (wrong.size > 0) faults.push(`${name}: answered ${[...wrong].join(', ')}`)
    const ms = cost.processorMs / Math.max(1, answers.length)
    if (ms >= costliest.ms) costliest = { name, ms }
    p50 = Math.max(p50, cost.healthP50Ms)
    slowest = Math.max(slowest, cost.slowestHealthMs)
    all.push(...answers)
  }
  if (!short) {
    const maxMs = attack.sendsWholeBodies ? slowestWholeBodiesMs : slowestHealthMs
    if (slowest > maxMs) faults.push(`/health took more than ${maxMs} ms`)
    if ((by === 'none' || by === 'nobody') && costliest.ms > maxProcessorMs)
      faults.push(`a request took more than ${maxProcessorMs} ms of the processor`)
  }
  const checks = [attack.holds?.(all, target), await stillWorks(target, server), await attack.afterwards?.(target)]
  faults.push(...checks.filter(fault => fault !== undefined))
  const statuses = [...Map.groupBy(all, ({ status }) => status)]
  return {
    answers: statuses.map(([status, { length }]) => `${length} x ${status}`).join(', '),
    processor: `${Math.round(costliest.ms)} ms (${costliest.name})`,
    p50: `${Math.round(p50)} ms`,
    slowest: `${Math.round(slowest)} ms`,
    faults,
  }
}

/** Checks that the service still runs and serves others; returns what is wrong. */
async function stillWorks(target: Target, server: Service): Promise<string | undefined> {
  if (!server.isAlive) return 'the process has ended'
  const { status } = await send(target, 'GET', `/api/v1/boards/${target.boardId}`, { key: target.ownerKey })
  return status === 200 ? undefined : `the board is answered ${status}`
}
