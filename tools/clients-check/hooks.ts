/**
 * Has the real clients start the hooks of the plugin, against a scripted model and a service of its own: checks which
 * events arrive, whether the service's messages reach the model, and that a refused edit is not made (harness 2, 3).
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@specboard/client'
import { type Service, startService } from '../lab/harness/service.ts'
import type { ClientLocation, HookClient } from './hook-clients.ts'
import { startModel } from './model.ts'
import { type RecordedEvent, startRecorder } from './recorder.ts'
import { makePlace, runClient } from './session.ts'

/** A board on which another agent works on files, and edits of them are refused. */
export interface Board {
  readonly service: Service
  readonly id: string
  readonly key: string
}

export async function makeBoard(folder: string): Promise<Board> {
  const service = await startService(folder)
  const { id, key } = await service.client.createBoard({ name: 'Shop', description: '' })
  await service.client.updateBoard({ board_id: id, settings: { edit_guard: 'deny' } })
  const other = await makeAgent(service, id, 'Ada')
  const card = await service.client.createCard({ board_id: id, title: 'Taxes', paths: ['src/tax/**'] })
  await createClient({ url: service.url, key: other }).claimCard({ card_id: card.id, lease_seconds: 3_600 })
  return { service, id, key }
}

export async function makeAgent({ client }: Service, board: string, name: string): Promise<string> {
  const { api_key } = await client.createAgent({ name, preset_id: 'Executor', board_ids: [board] })
  return api_key!
}

/** The problems with the hooks of a client; empty if there are none. */
export async function hookFaults(client: HookClient, board: Board, bin: string, folder: string): Promise<string[]> {
  const { service, id } = board
  const key = await makeAgent(service, id, client.title)
  const card = await service.client.createCard({ board_id: id, title: 'Round prices', paths: ['src/price/**'] })
  const worker = createClient({ url: service.url, key })
  await worker.claimCard({ card_id: card.id })
  const recorder = await startRecorder(service.url)
  const place = makePlace(folder, { url: recorder.url, board: board.key })
  const model = await startModel([
    client.edit(place, 'src/tax/rate.ts', 'export const rate = 0'),
    client.edit(place, 'src/price/round.ts', 'export const round = Math.round'),
    client.shell('npm test'),
  ])
  try {
    const output = await runClient(client, { ...place, model: model.url }, { bin, url: recorder.url, key })
    // Hooks that a client does not wait for may still report after it has ended.
    await lastWords(() => client.events.every(event => recorder.events.some(entry => entry.event === event)))
    const faults = faultsOf(client, place, recorder.events, model.requests, card.ref)
    return faults.length === 0 ? [] : [...faults, output]
  } finally {
    await Promise.all([model.stop(), recorder.stop()])
    // The next client works on the same files.
    await worker.releaseClaim({ card_id: card.id })
  }
}

async function lastWords(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 50 && !isThere(); tries++) await pause(100)
}

function faultsOf(
  client: HookClient,
  { project }: ClientLocation,
  events: readonly RecordedEvent[],
  requests: readonly string[],
  ref: string,
): string[] {
  const names = events.map(({ event }) => event)
  const of = (event: string) => events.filter(entry => entry.event === event)
  const heard = (text: string | null | undefined) =>
    typeof text === 'string' && requests.some(request => request.includes(JSON.stringify(text).slice(1, -1)))
  const missing = client.events.filter(event => !names.includes(event))
  const started = of('session_start')[0]?.answer.context
  const denied = of('before_edit').find(({ answer }) => typeof answer.deny === 'string')?.answer.deny
  const code = of('after_shell')[0]?.body.exit_code
  return [
    ...missing.map(event => `${event} did not arrive (${names.join(', ')})`),
    ...(started?.includes(ref) ? [] : [`the start of the session does not name ${ref}: ${started}`]),
    ...(heard(started) ? [] : ['the model was not told at the start of the session']),
    ...(heard(denied) ? [] : [`the model was not told of the refused edit: ${denied}`]),
    ...(existsSync(join(project, 'src/tax/rate.ts')) ? ['the refused edit was made'] : []),
    ...(existsSync(join(project, 'src/price/round.ts')) ? [] : ['the edit of its own was not made']),
    ...(code === 3 ? [] : [`the tests ended with 3, the hook says ${code}`]),
  ]
}
