import type { FeatureName, features } from '@specboard/contract'
import type { Scene } from '../support/scene.ts'
import type { TestAgent } from '../support/world.ts'

/** How the table-driven tests call an operation. */
export interface Row {
  /** Arguments with which a call by `caller` succeeds, on records created for it. */
  readonly args: (
    scene: Scene,
    caller: TestAgent,
  ) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
  /** Where a missing permission is tested, if a rule of the operation's own settles it instead of the table. */
  readonly permissionTestedBy?: string
}

/** One row for each operation of a feature; a missing one does not compile. */
export type Rows<F extends FeatureName> = { readonly [K in keyof (typeof features)[F]]: Row }
