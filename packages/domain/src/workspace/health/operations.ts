import { features } from '@specboard/contract'
import { sql } from 'kysely'
import { Answered, type Implementations, implement, inSteps, type Steps } from '../../kernel/implement.ts'

type Health = typeof features.health

/** The time within which a healthy database answers a trivial read, ms (access 13). */
const patienceMs = 1_000

const getHealth: Implementations<Health>['get_health'] = inSteps(async (_, steps) => {
  const { version, storage } = steps.environment
  const answering = !storage.isLost && (await answers(steps)) && (await steps.environment.selfTest()) === undefined
  const problems = storage.problems.length > 0 && { problems: [...storage.problems] }
  if (answering) return { status: problems ? 'degraded' : 'healthy', version, ...problems }
  return new Answered({ status: 'unhealthy', version, ...problems }, { status: 503 })
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
