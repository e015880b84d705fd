import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { commandLine } from '../../../../apps/cli/test/support/command-line.ts'
import type { Attack } from '../attack.ts'
import type { ReceivedAnswer } from '../send.ts'
import type { Target } from '../target.ts'

/** Pipes tool calls into a bridge that works in a folder, and returns its answers. */
async function bridged(cwd: string, calls: readonly object[], { url, keys }: Target): Promise<ReceivedAnswer[]> {
  const { command, args } = commandLine('mcp')
  const env = { PATH: process.env.PATH ?? '', HOME: homedir(), SPECBOARD_URL: url, SPECBOARD_API_KEY: keys.full }
  const bridge = spawn(command, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const messages = calls.map((params, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params }))
  bridge.stdin.end(messages.map(message => `${JSON.stringify(message)}\n`).join(''))
  const answers: ReceivedAnswer[] = []
  for await (const line of createInterface({ input: bridge.stdout })) {
    const status = Number(/\\"status\\":\s*(\d{3})/.exec(line)?.[1] ?? 200)
    answers.push({ status, text: line.slice(0, 4_096), length: line.length })
  }
  return answers
}

const upload = ({ boardId, cardId }: Target, path: string) => ({
  name: 'upload_attachment',
  arguments: { board_id: boardId, card_id: cardId, path },
})

const download = ({ boardId }: Target, save_to: string) => ({
  name: 'export_board_analytics',
  arguments: { board_id: boardId, save_to, overwrite: true },
})

const secret = 'SECRET=mine'

/** Runs calls in a project with secrets; status 200 means that the project has changed. */
async function inProject(calls: (folder: string) => readonly object[], target: Target): Promise<ReceivedAnswer[]> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-attacked-'))
  try {
    mkdirSync(join(folder, '.git'))
    for (const name of ['.env', '.git/config', 'notes.txt']) writeFileSync(join(folder, name), secret)
    symlinkSync('.env', join(folder, 'harmless.txt'))
    const before = readdirSync(folder, { recursive: true }).length
    const answers = await bridged(folder, calls(folder), target)
    const isKept =
      readdirSync(folder, { recursive: true }).length === before &&
      ['.env', '.git/config', 'notes.txt'].every(name => readFileSync(join(folder, name), 'utf8') === secret)
    return isKept ? answers : [...answers, { status: 200, text: 'the project has changed', length: 0 }]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Access to files on the person's machine through the bridge (walls 8). */
export const bridge: readonly Attack[] = [
  {
    name: 'secrets of a project by the stdio bridge',
    answers: { full: [400, 403, 404, 422] },
    variations: {
      uploads: target =>
        inProject(
          folder =>
            ['.env', '.git/config', './.git/../.env', 'harmless.txt', join(folder, '.env'), '/etc/passwd', '../x'].map(
              path => upload(target, path),
            ),
          target,
        ),
      'an upload by a tool that only reads': target =>
        inProject(() => [{ name: 'read_operation', arguments: upload(target, 'notes.txt') }], target),
      downloads: target =>
        inProject(
          () =>
            ['.git/config', '.bashrc', 'harmless.txt', '../x.csv', '/tmp/x.csv'].map(path => download(target, path)),
          target,
        ),
      'a download onto a file': target =>
        inProject(
          () => [{ ...download(target, 'notes.txt'), arguments: { board_id: target.boardId, save_to: 'notes.txt' } }],
          target,
        ),
    },
  },
  {
    name: 'the whole disk by the stdio bridge',
    answers: { full: [400, 403, 404, 422] },
    variations: {
      'in /': target => bridged('/', [upload(target, 'etc/passwd'), download(target, 'tmp/attacked.csv')], target),
      'in the home': target =>
        bridged(homedir(), [upload(target, '.bashrc'), download(target, 'attacked.csv')], target),
    },
  },
]
