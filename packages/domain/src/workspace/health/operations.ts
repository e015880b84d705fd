import { features } from '@specboard/contract'
import { sql } from 'kysely'
import { ExplicitAnswer, type Implementations, implement, multiStep, type Steps } from '../../kernel/implement.ts'
import { noAnswer } from './condition.ts'

type Health = typeof features.health

/** The time within which a healthy database answers a trivial read, ms (access 13). */
const patienceMs = 1_000

const getHealth: Implementations<Health>['get_health'] = multiStep(async (_, steps) => {
  const { version, storage, condition, selfTest } = steps.environment
  const doesAnswer = !storage.isLost && (await answers(steps))
  const doesWork = doesAnswer && (await selfTest()) === undefined
  const degradations = await condition.problems(doesWork)
  if (doesWork)
    return degradations.length === 0
      ? { status: 'healthy', version }
      : { status: 'degraded', version, problems: [...degradations] }
  // What was found a moment ago may name the same problem.
  const problems = new Set(degradations)
  if (!storage.isLost) problems.add(doesAnswer ? 'operations fail' : noAnswer)
  return new ExplicitAnswer({ status: 'unhealthy', version, problems: [...problems] }, { status: 503 })
})

/** Whether the database answers in time. The clock is checked too, because a blocking database delays the timer. */
async function answers({ read, environment: { clock } }: Steps): Promise<boolean> {
  const started = clock()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, patienceMs, false)
  })
  try {
    const answered = read(async ({ db }) => {
      await sql`select 1 from agents limit 1`.execute(db)
      return true
    })
    return (await Promise.race([answered, late])) && clock() - started <= patienceMs
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}

export const healthOperations = implement(features.health, { get_health: getHealth })
