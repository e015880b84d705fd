import type { FeatureName, features } from '@specboard/contract'
import type { Scene } from '../support/scene.ts'
import type { TestAgent } from '../support/world.ts'

/** How the table-driven tests call an operation. */
export interface Row {
  /** Arguments of a call by `caller` that succeeds, on records that are made for it. */
  readonly args: (
    scene: Scene,
    caller: TestAgent,
  ) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
  /** Why a missing permission is not tested by the table, where a rule of its own settles it. */
  readonly permissionTestedBy?: string
}

/** One row for each operation of a feature; a missing one does not compile. */
export type Rows<F extends FeatureName> = { readonly [K in keyof (typeof features)[F]]: Row }
