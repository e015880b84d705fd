import { type Client, ClientError, createClient } from '@specboard/client'
import { isEvent } from '@specboard/contract'
import { boardNamed } from './frame/board.ts'
import { keyed, type Target } from './frame/target.ts'
import { UsageError } from './frame/usage-error.ts'

/** The flags of `specboard watch`. */
export interface WatchFlags {
  readonly after?: string
  readonly action?: string
  readonly json?: boolean
}

/** How long a call waits for an event, ms. */
const waitMs = 25_000

/** How long it pauses when the service does not answer, ms: longer each time, up to the last. */
const rests = [500, 1_000, 2_000, 5_000, 10_000] as const

type Event = Extract<Awaited<ReturnType<Client['listBoardEvents']>>['events'][number], { readonly sequence: number }>

/**
 * `specboard watch`: prints the events of a board, one line each, until Ctrl-C; reconnects automatically (exchange 3).
 */
export async function watch(board: string | undefined, flags: WatchFlags, target: Target): Promise<number> {
  const service = keyed(target)
  const name = board ?? service.board
  if (name === undefined) throw new UsageError('Name a board, or let "specboard init" choose one for this folder.')
  const { id: board_id } = await boardNamed(service, name)
  const client = createClient(service)
  const controller = new AbortController()
  const stop = () => controller.abort()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  process.stdout.once('error', stop)
  let after = sequenceOf(flags.after)
  for (let failures = 0; !controller.signal.aborted; ) {
    try {
      const action = flags.action === undefined ? {} : { action: flags.action }
      const query = { board_id, after, wait_ms: waitMs, limit: 500, ...action }
      const page = await client.listBoardEvents(query, { signal: controller.signal })
      for (const event of page.events.filter(isEvent)) console.log(flags.json ? JSON.stringify(event) : lineOf(event))
      after = page.last_sequence
      failures = 0
    } catch (error) {
      if (error instanceof ClientError && error.status < 500 && error.status !== 429) throw error
      if (!controller.signal.aborted && failures === 0)
        console.error(`specboard: ${service.url} does not answer; trying again.`)
      await rest(rests[Math.min(failures++, rests.length - 1)]!, controller.signal)
    }
  }
  return 0
}

function sequenceOf(text = '0'): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--after must be the number of an event, not "${text}".`)
  return Number(text)
}

const lineOf = ({ sequence, at, actor_name, action, entity_type, entity_id, ref }: Event): string =>
  `${sequence}  ${at}  ${action}  ${ref ?? `${entity_type} ${entity_id}`}  by ${actor_name}`

function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
