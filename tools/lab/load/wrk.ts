import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Load, type LoadResult, placeholder, sentBy } from './request.ts'

/** Whether `wrk` is installed (a Debian package). */
export const hasWrk = (): boolean => spawnSync('wrk', ['-v']).error === undefined

/** Sends load to a server for a whole number of seconds, from a process of its own. */
export async function measureWithWrk(load: Load, seconds: number, connections: number): Promise<LoadResult> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-wrk-'))
  try {
    const script = join(folder, 'load.lua')
    writeFileSync(script, scriptOf(load))
    const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, load.url]
    const printed = await outputOf(args)
    const [requests = 0, micros = 1, p50 = 0, p99 = 0, failed = 0] = (/^done (.*)$/m.exec(printed)?.[1] ?? '')
      .split(' ')
      .map(Number)
    if (failed > 0 || requests === 0) throw new Error(`${load.method ?? 'GET'} ${load.url}: ${printed}`)
    return { rate: (requests * 1e6) / micros, p50: inMs(p50), p99: inMs(p99) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const inMs = (micros: number): number => Math.round(micros / 10) / 100

/** The Lua script that tells `wrk` what to send and makes it print the result. */
function scriptOf(load: Load): string {
  const { method = 'GET', headers, body } = load
  const lines = Object.entries(headers).map(([name, value]) => `wrk.headers[ ${quoted(name)} ] = ${quoted(value)}`)
  if (load.requests !== undefined || body?.includes(placeholder)) lines.push(...sendingInTurn(load))
  else if (body !== undefined) lines.push(`wrk.body = ${quoted(body)}`)
  return `wrk.method = ${quoted(method)}
${lines.join('\n')}
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  print(string.format("done %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), failed))
end
`
}

/** Lines that send requests in turn, each with a different text in place of the placeholder. */
function sendingInTurn(load: Load): string[] {
  const requests = sentBy(load).map(({ path, body }) => {
    const [head, tail] = body?.split(placeholder) ?? []
    const parts = [
      path === '' ? 'nil' : quoted(path),
      ...[head, tail].map(part => (part === undefined ? 'nil' : quoted(part))),
    ]
    return `  { ${parts.map((part, place) => `[${place + 1}] = ${part}`).join(', ')} },`
  })
  return [
    'local requests = {',
    ...requests,
    '}',
    'local sent = 0',
    'function request()',
    '  local one = requests[sent % #requests + 1]',
    '  sent = sent + 1',
    `  local body = one[2] and (one[3] and one[2] .. sent .. ${quoted(` of ${Date.now()}`)} .. one[3] or one[2])`,
    '  return wrk.format(nil, one[1], nil, body)',
    'end',
  ]
}

/** A text as a Lua literal. */
const quoted = (text: string): string => `[==[${text}]==]`

function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let printed = ''
    child.stdout.on('data', text => {
      printed += text
    })
    child.once('error', reject)
    child.once('close', () => resolve(printed))
  })
}
