import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The program of the suite, which exports no library; `pnpm conformance` fetches it and puts it on the path. */
const program = 'conformance'

/** The outcome of one scenario. */
export interface Outcome {
  /** The number of checks made. */
  readonly checks: number
  /** The checks that failed, with the suite's message about each. */
  readonly failed: ReadonlyMap<string, string>
}

interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

/** Runs one scenario of the official suite. */
export async function runScenario(url: string, name: string, revision: string): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-conformance-'))
  try {
    await ended(['server', '--url', url, '--scenario', name, '--spec-version', revision, '--force', '-o', folder])
    const [results] = readdirSync(folder)
    if (results === undefined) return { checks: 0, failed: new Map() }
    const checks = JSON.parse(readFileSync(join(folder, results, 'checks.json'), 'utf8')) as readonly Check[]
    const failed = checks.filter(check => check.status === 'FAILURE')
    return { checks: checks.length, failed: new Map(failed.map(check => [check.id, check.errorMessage ?? ''])) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function ended(args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => resolve())
  })
}
