import type { Page } from 'playwright-core'

/** A task of a page's main thread, ms: elapsed time, and the CPU time within it. */
export interface Task {
  readonly wall: number
  readonly cpu: number
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

/** What the main thread of a page did while it was traced. */
export interface Work {
  readonly tasks: readonly Task[]
  /** The CPU time of all tasks, ms. */
  readonly cpu: number
}

/** Runs something while the browser records each task of a page. */
export async function traced(page: Page, run: () => Promise<void>): Promise<Work> {
  const browser = page.context().browser()!
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  let trace: Buffer
  try {
    await run()
  } finally {
    trace = await browser.stopTracing()
  }
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] }
  const tasks = tasksOf(traceEvents)
  return { tasks, cpu: cpuOf(tasks) }
}

/** The tasks of the renderer that worked most: that is the page's, if the browser keeps spare renderers. */
function tasksOf(events: readonly TraceEvent[]): readonly Task[] {
  const isMain = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const byThread = Map.groupBy(
    events.filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && isMain.has(`${pid} ${tid}`)),
    ({ pid, tid }) => `${pid} ${tid}`,
  )
  const threads = [...byThread.values()].map(thread =>
    thread.map(({ dur = 0, tdur = 0 }): Task => ({ wall: dur / 1_000, cpu: tdur / 1_000 })),
  )
  return threads.toSorted((a, b) => cpuOf(b) - cpuOf(a))[0] ?? []
}

const cpuOf = (tasks: readonly Task[]): number => tasks.reduce((sum, { cpu }) => sum + cpu, 0)
