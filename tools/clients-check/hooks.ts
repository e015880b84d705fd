/**
 * Has the clients themselves start the hooks of the plugin, against a model of ours and a service of its own: which events
 * arrive, whether what the service says reaches the model, and whether an edit that it refuses is not made (harness 2, 3).
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@specboard/client'
import { mainFile, type Service, startService } from '../lab/harness/service.ts'
import { type HookClient, type Place, put } from './hook-clients.ts'
import { startModel } from './model.ts'
import { startRecorder, type Told } from './recorder.ts'

/** How long a client may take for its session, ms. */
const patienceMs = 100_000

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

async function makeAgent({ client }: Service, board: string, name: string): Promise<string> {
  const { api_key } = await client.createAgent({ name, preset_id: 'Executor', board_ids: [board] })
  return api_key!
}

/** What is wrong with the hooks of a client; nothing if all is well. */
export async function hookFaults(client: HookClient, board: Board, bin: string, folder: string): Promise<string[]> {
  const { service, id } = board
  const key = await makeAgent(service, id, client.title)
  const card = await service.client.createCard({ board_id: id, title: 'Round prices', paths: ['src/price/**'] })
  const worker = createClient({ url: service.url, key })
  await worker.claimCard({ card_id: card.id })
  const recorder = await startRecorder(service.url)
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  put(project, {
    '.specboard.json': JSON.stringify({ url: recorder.url, board: board.key }),
    'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', scripts: { test: 'exit 3' } }),
    'src/tax/list.ts': '',
    'src/price/list.ts': '',
  })
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Begin')
  mkdirSync(home)
  const place = { home, project: realpathSync(project), model: '' }
  const model = await startModel([
    client.edit(place, 'src/tax/rate.ts', 'export const rate = 0'),
    client.edit(place, 'src/price/round.ts', 'export const round = Math.round'),
    client.shell('npm test'),
  ])
  try {
    const said = await run(client, { ...place, model: model.url }, bin, { url: recorder.url, key })
    // Hooks that a client does not wait for may speak after its end.
    await lastWords(() => client.events.every(event => recorder.told.some(told => told.event === event)))
    const faults = faultsOf(client, place, recorder.told, model.asked, card.ref)
    return faults.length === 0 ? [] : [...faults, said]
  } finally {
    await Promise.all([model.stop(), recorder.stop()])
    // The next client works on the same files.
    await worker.releaseClaim({ card_id: card.id })
  }
}

async function lastWords(isThere: () => boolean): Promise<void> {
  for (let tries = 0; tries < 50 && !isThere(); tries++) await pause(100)
}

/** Signs the agent in as a person would, installs the plugin and runs a session; answers what the client said. */
async function run(client: HookClient, place: Place, bin: string, { url, key }: { url: string; key: string }) {
  const { home, project } = place
  put(home, client.files?.(place) ?? {})
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SPECBOARD_'))
  const env = {
    ...Object.fromEntries(inherited),
    HOME: home,
    PATH: `${bin}:${process.env.PATH}`,
    // A busy machine takes its time.
    SPECBOARD_HOOK_PATIENCE: '30000',
    ...client.environment?.(place),
  }
  const steps = [
    { command: [process.execPath, mainFile(), 'login', url, '--key-stdin'], cwd: home, input: key },
    ...(client.install === undefined ? [] : [{ command: ['sh', '-c', client.install], cwd: home }]),
    { command: client.command, cwd: project },
  ]
  const said: string[] = []
  for (const step of steps) said.push(await saidBy(step, env))
  return said.join('')
}

interface Step {
  readonly command: readonly string[]
  readonly cwd: string
  readonly input?: string
}

/** What a program says on both outputs, whatever it ends with. */
async function saidBy({ command: [program, ...args], cwd, input = '' }: Step, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(program!, args, { env, cwd, stdio: 'pipe', timeout: patienceMs, killSignal: 'SIGKILL' })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      said += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  await once(child, 'close')
  return said
}

function faultsOf(
  client: HookClient,
  { project }: Place,
  told: readonly Told[],
  asked: readonly string[],
  ref: string,
): string[] {
  const names = told.map(({ event }) => event)
  const of = (event: string) => told.filter(entry => entry.event === event)
  const heard = (text: string | null | undefined) =>
    typeof text === 'string' && asked.some(request => request.includes(JSON.stringify(text).slice(1, -1)))
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
