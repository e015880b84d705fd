import type { Lab } from './lab.ts'
import type { Options, OptionValues } from './options.ts'

/** A measurement or test of services: `pnpm lab <name>`, where the name is that of its file in `scenarios`. */
export interface Scenario<Values extends Options = Options> extends OptionValues<Values> {
  /** What it shows, in one line of the list. */
  readonly summary: string
  /** The engines that it can run on; by default only SQLite. */
  readonly engines?: readonly ('sqlite' | 'postgres')[]
  /** Checks its prerequisites; a returned reason skips the run. */
  readonly lacks?: () => string | undefined
  /** Measures, and adds the results to the report of the lab. */
  readonly run: (lab: Lab, options: Values) => Promise<void>
}

/** A scenario as data. */
export const scenario = <const Values extends Options>(
  described: Scenario<WideTypes<Values>> & { readonly options?: Values },
) => described as Scenario

/** Widens literal types, so that the command line may give other values. */
type WideTypes<Values extends Options> = {
  readonly [Name in keyof Values]: Values[Name] extends number ? number : Values[Name] extends string ? string : boolean
}
