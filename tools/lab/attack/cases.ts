import type { Attack } from './attack.ts'
import { bodies } from './cases/bodies.ts'
import { bridge } from './cases/bridge.ts'
import { fairness } from './cases/fairness.ts'
import { ids } from './cases/ids.ts'
import { imports } from './cases/imports.ts'
import { limits, signIns } from './cases/limits.ts'
import { linear } from './cases/linear.ts'
import { prototypes } from './cases/prototypes.ts'
import { queries } from './cases/queries.ts'
import { rights } from './cases/rights.ts'
import { sharedGround } from './cases/shared-ground.ts'

/** Every attack that has brought a service down or got something from it, in the order in which they run. */
export const attacks: readonly Attack[] = [
  ...bodies,
  ...queries,
  ...ids,
  ...prototypes,
  ...linear,
  ...limits,
  ...rights,
  ...imports,
  ...sharedGround,
  ...fairness,
  ...bridge,
  ...signIns,
]
