/**
 * Kills the server with SIGKILL while it sends events to a webhook, and starts it again. Prints what came of them; the
 * last line is a row of the table in `docs/reliability.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWhileSending } from './crash-webhooks/kills.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

const events = 1_000

/** Runs the test and prints its figures; returns 1 when an event was lost, skipped or came out of order. */
export async function crashWebhooks(rounds: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
  const bar = progress('crash test', rounds, () => ({ events }))
  try {
    const outcome = await killWhileSending(join(root, 'data'), { events, kills: rounds }, () => bar.step())
    bar.end()
    const { kills, messages, lost, disordered, repeatedLate, wrong } = outcome
    const figures =
      `${outcome.events} events, ${messages} messages, killed while events waited ${kills}; ` +
      `lost ${lost}, out of order ${disordered}, repeated late ${repeatedLate}, wrong ${wrong}`
    console.log(figures)
    console.log(tableRow(`pnpm crash --webhooks ${rounds}`, String(rounds), figures))
    return lost + disordered + repeatedLate + wrong > 0 || kills === 0 ? 1 : 0
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
