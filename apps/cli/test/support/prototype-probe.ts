/**
 * Loaded before everything else in each thread and process of a service (`NODE_OPTIONS`): keeps writing to a file of
 * its own whether objects have `__proto__` there.
 */
import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { threadId } from 'node:worker_threads'

const file = join(process.env.PROTOTYPE_PROBE!, `${process.pid}-${threadId}.json`)
const runs = basename(process.argv[1] ?? '')

const tell = (): void =>
  writeFileSync(file, JSON.stringify({ runs, hasProto: Object.hasOwn(Object.prototype, '__proto__') }))

setInterval(tell, 10).unref()
process.on('exit', tell)
