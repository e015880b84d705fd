import { styleText } from 'node:util'
import type { Client } from '@specboard/client'
import { CardStatus } from '@specboard/contract'
import type { Agent } from './agent.ts'
import { scene } from './screen.ts'
import type { ResumedWork } from './work.ts'

/** The budget of the whole path from idea to done. */
const goals = { calls: 45, tokens: 20_000, unresolved: 0 } as const

/** The budget for an agent with nothing but its key to learn what to do, why, and the next call (board 1). */
const resuming = { calls: 2, tokens: 900 } as const

/** Prints the board's columns. */
export async function printColumns(client: Client, board_id: string): Promise<void> {
  scene('The board')
  const { columns } = await client.getBoardColumns({ board_id, limit: 1 })
  for (const status of CardStatus.options) {
    const column = columns[status]
    const count = column !== undefined && 'total' in column ? column.total : 0
    console.log(`  ${status.padEnd(12)} ${String(count).padStart(3)}  ${'■'.repeat(count)}`)
  }
}

/** Results besides the figures. */
export interface DemoOutcome {
  readonly specStatus: string
  readonly resumed: ResumedWork
  /** Whether the card of the last act is done. */
  readonly isProved: boolean
}

/** Prints what each agent needed, and the goals; returns whether all goals are met. */
export function printCosts(agents: readonly Agent[], { specStatus, resumed, isProved }: DemoOutcome): boolean {
  scene('What it took')
  const figures = ['calls', 'operations', 'errors', 'unresolved', 'tokens'] as const
  const line = (name: string, values: readonly unknown[]) =>
    console.log(`  ${name.padEnd(12)} ${values.map(value => String(value).padStart(10)).join(' ')}`)
  line('', figures)
  for (const agent of agents)
    line(
      agent.name,
      figures.map(figure => Math.round(agent[figure])),
    )
  const total = (figure: (typeof figures)[number]) => Math.round(agents.reduce((sum, agent) => sum + agent[figure], 0))
  line('in all', figures.map(total))
  const outcomes: readonly (readonly [goal: string, met: boolean])[] = [
    ['the spec is done', specStatus === 'done'],
    ['a card is done by proof of CI and a merge', isProved],
    [`at most ${goals.calls} calls`, total('calls') <= goals.calls],
    [`at most ${goals.tokens} tokens beside the list of tools`, total('tokens') <= goals.tokens],
    [
      `at most ${resuming.calls} calls and ${resuming.tokens} tokens to resume after lost memory`,
      resumed.calls <= resuming.calls && resumed.tokens <= resuming.tokens,
    ],
    ['no error that next actions do not resolve', total('unresolved') === goals.unresolved],
  ]
  for (const [goal, isMet] of outcomes)
    console.log(`  ${isMet ? styleText('green', 'met   ') : styleText('red', 'missed')} ${goal}`)
  return outcomes.every(([, isMet]) => isMet)
}
