/**
 * The program of a warm process: runs command lines one after the other, each as if the process were its own. It runs the
 * package's main file anew for each of them; what that imports stays loaded.
 */
import { pathToFileURL } from 'node:url'
import type { Finished } from './command.ts'

/** A command line, and what it finds around it. */
export interface Order {
  readonly main: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
}

/** Thrown in place of the end of the process. */
class Ended extends Error {}

let runs = 0

process.umask(0o022)
process.setMaxListeners(0)
process.once('disconnect', () => process.kill(process.pid))
process.on('message', async (order: Order) => process.send!(await finished(order)))

async function finished({ main, args, environment, folder }: Order): Promise<Finished> {
  takeOver(environment)
  process.chdir(folder)
  process.argv = [process.execPath, main, ...args]
  process.exitCode = undefined
  process.exit = end
  const [output, errors] = [written(process.stdout), written(process.stderr)]
  try {
    await import(`${pathToFileURL(main)}?${++runs}`)
  } catch (error) {
    if (!(error instanceof Ended)) throw error
  }
  process.removeAllListeners('uncaughtException')
  return { code: Number(process.exitCode ?? 0), output: output(), errors: errors() }
}

function takeOver(environment: Order['environment']): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
}

const end: typeof process.exit = code => {
  process.exitCode = code ?? process.exitCode
  throw new Ended()
}

/** Collects what is written to a stream from now on. */
function written(stream: NodeJS.WriteStream): () => string {
  const chunks: Buffer[] = []
  stream.setMaxListeners(0)
  stream.write = (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    chunks.push(Buffer.from(chunk as string))
    const done = rest.find(value => typeof value === 'function')
    if (done !== undefined) process.nextTick(done)
    return true
  }
  return () => Buffer.concat(chunks).toString()
}
