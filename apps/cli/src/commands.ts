import { pino } from 'pino'
import { startService } from './serve.ts'
import { readSettings } from './settings.ts'

/** Runs a command line; answers the exit code. */
export async function run(_args: readonly string[]): Promise<number> {
  const settings = readSettings({}, process.env)
  const log = pino({ level: settings.logLevel }, pino.destination(2))
  const running = await startService(settings, log)
  console.log(`Specboard serves on ${running.url}`)
  if (running.ownerKey !== undefined) console.log(`API key: ${running.ownerKey}`)
  await new Promise<void>(resolve => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
  await running.stop()
  return 0
}
