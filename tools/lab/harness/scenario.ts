import type { Lab } from './lab.ts'
import type { Options, OptionValues } from './options.ts'

/** Something that is measured or tried on services: `pnpm lab <name>`, by the name of its file in `scenarios`. */
export interface Scenario<Values extends Options = Options> extends OptionValues<Values> {
  /** What it shows, in one line of the list. */
  readonly summary: string
  /** The engines that it can be run on; only SQLite unless said. */
  readonly engines?: readonly ('sqlite' | 'postgres')[]
  /** What it needs that a machine may lack; a reason lets the run end without one. */
  readonly lacks?: () => string | undefined
  /** Measures, and tells the report of the lab what came of it. */
  readonly run: (lab: Lab, options: Values) => Promise<void>
}

/** A scenario as data. */
export const scenario = <const Values extends Options>(
  described: Scenario<WideTypes<Values>> & { readonly options?: Values },
) => described as Scenario

/** Literal types as those of their kind, so that another value may come from the command line. */
type WideTypes<Values extends Options> = {
  readonly [Name in keyof Values]: Values[Name] extends number ? number : Values[Name] extends string ? string : boolean
}
