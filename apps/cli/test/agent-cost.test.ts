import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const tool = fileURLToPath(new URL('../../../tools/agent-cost.ts', import.meta.url))

test('no scenario costs agents more than it may (crew 11)', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [tool])
  expect(stdout.split('\n').filter(line => line.startsWith('| ')).length).toBe(7)
}, 120_000)
