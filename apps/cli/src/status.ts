/**
 * `specboard status`: shows on one screen who the caller is, what it holds, what is waiting, and who works on what
 * (harness 6).
 */
import { createClient } from '@specboard/client'
import { boardNamed } from './frame/board.ts'
import { reaching } from './frame/failure.ts'
import { printJson } from './frame/output.ts'
import { type KeyedTarget, keyed, type Target, type TargetFlags } from './frame/target.ts'

/** The flags of `specboard status`. */
export interface StatusFlags extends TargetFlags {
  readonly board?: string
  readonly json?: boolean
}

type Client = ReturnType<typeof createClient>
type Inbox = Awaited<ReturnType<Client['listMyInbox']>>
type Worker = Awaited<ReturnType<Client['listWorkers']>>['items'][number]
type Pair = Awaited<ReturnType<Client['listOverlaps']>>['items'][number]

const clock = (time: string): string => `${time.slice(0, 16)}Z`

const heldLine = ({ ref, title, status, until, needs }: Inbox['holding'][number]): string =>
  `  ${ref} ${title} (${status}) until ${clock(until)}; next: ${needs}`

const countLines = (all: Inbox['counts']): string[] => {
  const counts = Object.entries(all).filter(([, count]) => count > 0)
  return counts.length === 0 ? [] : [`  ${counts.map(([kind, count]) => `${count} ${kind}`).join(', ')}`]
}

function workerLine({ agent_name, client, worktree, state, cards, last_seen_at, refusals }: Worker): string {
  const place = [client, worktree].filter(part => part !== null).join(' in ')
  const work = cards.map(({ ref, attempt }) => (attempt > 1 ? `${ref} (attempt ${attempt})` : ref)).join(', ')
  const refusalText = refusals === null || refusals.last_hour === 0 ? '' : `, ${refusals.last_hour} refused`
  const lastSeen = last_seen_at === null ? '' : `, seen ${clock(last_seen_at)}`
  return `  ${agent_name}${place === '' ? '' : ` (${place})`}: ${state}${work === '' ? '' : `, ${work}`}${lastSeen}${refusalText}`
}

const nameOf = ({ ref, reservation_id, agent_name }: Pair['b']): string =>
  `${ref ?? `reservation ${reservation_id?.slice(0, 8)}`} of ${agent_name}`

const overlapLine = ({ a, b }: Pair): string =>
  `  ${a === undefined ? '' : `${nameOf(a)} and `}${nameOf(b)}: ${b.example}`

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [`${title}: none`] : [`${title}:`, ...lines]

/** What is shown about the board, as far as the key may read it. */
async function boardPart(target: KeyedTarget, name: string | undefined) {
  if (name === undefined) return { board: null, workers: [], overlaps: [] }
  const client = createClient(target)
  const board = await boardNamed(target, name)
  const board_id = board.id
  const workers = await reaching(target, () => client.listWorkers({ board_id, limit: maxShown }))
  const { flags } = await reaching(target, () => client.getMyPermissions({ board_id }))
  const overlaps = flags.CARDS_READ
    ? (await reaching(target, () => client.listOverlaps({ board_id, limit: maxShown }))).items
    : []
  return { board, workers: workers.items, overlaps }
}

/** How many workers and overlaps one screen holds. */
const maxShown = 50

/** `specboard status`. */
export async function status(flags: StatusFlags, to: Target): Promise<number> {
  const target = keyed(to)
  const client = createClient(target)
  const me = await reaching(target, () => client.getMyPermissions({}))
  const { board, workers, overlaps } = await boardPart(target, flags.board ?? target.board)
  const inbox = await reaching(target, () =>
    client.listMyInbox({ ...(board !== null && { board_id: board.id }), limit: 1 }),
  )
  if (flags.json) {
    const agent = { agent_id: me.agent_id, agent_name: me.agent_name, preset: me.preset_name }
    const source = { url: target.url, url_from: target.from.url, key_from: target.from.key ?? null }
    printJson({
      ...source,
      ...agent,
      board,
      holding: inbox.holding,
      inbox: inbox.counts,
      workers,
      overlaps,
      budget: null,
    })
    return 0
  }
  const lines = [
    `${me.agent_name} at ${target.url} (key from ${target.from.key})`,
    ...(board === null ? [] : [`board ${board.key} ${board.name}`]),
    ...section('you hold', inbox.holding.map(heldLine)),
    ...section('waiting for you', countLines(inbox.counts)),
    ...(board === null ? [] : section('workers', workers.map(workerLine))),
    ...(board === null ? [] : section('overlaps', overlaps.map(overlapLine))),
  ]
  console.log(lines.join('\n'))
  return 0
}
