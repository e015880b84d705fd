import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Finished } from './command.ts'
import type { Order } from './run-commands.ts'

const program = fileURLToPath(new URL('run-commands.ts', import.meta.url))

/** The warm processes of this worker that run nothing; they end with it. */
const idle: ChildProcess[] = []

/**
 * Runs a command to its end in a process that has run others before, which takes a fifth of the processor time of a start.
 * A test of the process itself, its input, signals or end, starts one instead (`startCommand`, `ServerProcess`).
 * @throws Error when the command ends the process
 */
export async function runWarm(order: Order): Promise<Finished> {
  const warm = idle.pop() ?? started()
  const finished = await answered(warm, order)
  idle.push(warm)
  return finished
}

function started(): ChildProcess {
  const child = fork(program, { execArgv: [], stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  child.unref()
  child.channel!.unref()
  return child
}

function answered(child: ChildProcess, order: Order): Promise<Finished> {
  const { promise, resolve, reject } = Promise.withResolvers<Finished>()
  const ended = (code: number | null) => reject(new Error(`${order.args.join(' ')} ended its process with ${code}.`))
  child.once('exit', ended)
  child.once('message', message => {
    child.off('exit', ended)
    resolve(message as Finished)
  })
  child.send(order)
  return promise
}
