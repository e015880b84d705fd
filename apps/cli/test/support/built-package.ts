/** Before all tests of a whole run: the package, whose making would count for the first test that starts a command. */
import { parseArgs } from 'node:util'
import { builtPackage } from './command-line.ts'

export default function setup(): void {
  // The workers, which start after this, take it from their environment.
  if (isWhole()) process.env.SPECBOARD_TEST_MAIN = builtPackage()
}

/** Whether no files are named: of a few, perhaps none starts a command. */
function isWhole(): boolean {
  const options = { config: { type: 'string' }, mode: { type: 'string' } } as const
  const { positionals } = parseArgs({ options, strict: false, allowPositionals: true })
  return positionals.filter(word => word !== 'run').length === 0
}
