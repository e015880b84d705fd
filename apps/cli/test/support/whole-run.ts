import { parseArgs } from 'node:util'

/** Whether this run of tests is of all files: its command line names none. */
export function isWholeRun(): boolean {
  const options = { config: { type: 'string' }, mode: { type: 'string' } } as const
  const { positionals } = parseArgs({ options, strict: false, allowPositionals: true })
  return positionals.every(word => word === 'run' || word === 'list')
}
