import type { AnyOperation } from '@specboard/contract'
import type { Context } from '../context.ts'
import type { Call } from './call.ts'
import type { Runners } from './composition.ts'

/** Answers what a GET of a call's path would answer, or only the record's own fields of it. */
export type AsRead = (ctx: Context, call: Call, get: AnyOperation, part?: 'whole' | 'own') => Promise<unknown>

/** Runs other operations within the unit of work of a call. */
export function asReadBy(runners: Runners): AsRead {
  return async (ctx, { input }, get, part = 'whole') => {
    const runner = runners.loadedRunner(get)
    if (runner.steps) throw new Error(`${get.name} cannot be read within a unit of work.`)
    const { run, own = run } = runner
    return (part === 'own' ? own : run)({ params: input.params, query: {}, body: undefined }, ctx)
  }
}
