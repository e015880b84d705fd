import { topMaker } from '../access/managed.ts'
import type { Context } from '../context.ts'

/** The holder of an open stream or a waiting call. */
export interface Holder {
  readonly agentId: string
  /** The agent whose descendants are counted together; undefined for `Local Owner`. */
  readonly family: string | undefined
  /** The browser session that it belongs to. */
  readonly session: string | undefined
}

/** The caller as the holder of what it opens. */
export async function holderOf({ db, caller }: Context): Promise<Holder> {
  return { agentId: caller.id, family: await topMaker(db, caller.id), session: caller.proof?.session?.hash }
}
