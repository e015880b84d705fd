/** A session of a client in a project, with an empty home and the plugin installed by its own commands (harness 2). */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { mainFile } from '../lab/harness/service.ts'
import { type ClientLocation, type HookClient, put } from './hook-clients.ts'

/** How long a client may take for its session, ms. */
const patienceMs = 100_000

/** An empty home, and a project in a repository of its own that names its board. */
export function makePlace(folder: string, board: { readonly url: string; readonly board: string }): ClientLocation {
  const [home, project] = [join(folder, 'home'), join(folder, 'project')]
  put(project, {
    '.specboard.json': JSON.stringify(board),
    'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', scripts: { test: 'exit 3' } }),
    'src/tax/list.ts': '',
    'src/price/list.ts': '',
  })
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: project, stdio: 'pipe' })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Begin')
  mkdirSync(home)
  return { home, project: realpathSync(project), model: '' }
}

/** The folder with the clients' programs, and the service with the key of an agent. */
export interface Reach {
  readonly bin: string
  readonly url: string
  readonly key: string
}

/** Signs the agent in as a person would, installs the plugin and runs a session; returns the client's output. */
export async function runClient(client: HookClient, place: ClientLocation, { bin, url, key }: Reach): Promise<string> {
  const { home, project } = place
  put(home, { ...client.files?.(place), 'bin/specboard': `#!/bin/sh\nexec ${process.execPath} ${mainFile()} "$@"\n` })
  chmodSync(join(home, 'bin/specboard'), 0o755)
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SPECBOARD_'))
  const env = {
    ...Object.fromEntries(inherited),
    HOME: home,
    PATH: `${join(home, 'bin')}:${bin}:${process.env.PATH}`,
    // A busy machine takes its time.
    SPECBOARD_HOOK_PATIENCE: '30000',
    ...client.environment?.(place),
  }
  const steps = [
    { command: [process.execPath, mainFile(), 'login', url, '--key-stdin'], cwd: home, input: key },
    ...(client.install === undefined ? [] : [{ command: ['sh', '-c', client.install], cwd: home }]),
    { command: client.command, cwd: project },
  ]
  const outputs: string[] = []
  for (const step of steps) outputs.push(await outputOf(step, env))
  return outputs.join('')
}

interface Step {
  readonly command: readonly string[]
  readonly cwd: string
  readonly input?: string
}

/** The output of a program on both streams, whatever its exit code. */
async function outputOf(
  { command: [program, ...args], cwd, input = '' }: Step,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const child = spawn(program!, args, { env, cwd, stdio: 'pipe', timeout: patienceMs, killSignal: 'SIGKILL' })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  await once(child, 'close')
  return output
}
