import { Presets, SingleBar } from 'cli-progress'

/** What lasts longer than this gets a bar, ms (exchange 3). */
const patienceMs = 1_000

/** A bar for each phase of what a verb does, on standard error. */
export interface PhaseBars<Phase extends string> {
  readonly show: (phase: Phase, done: number, total: number) => void
  readonly end: () => void
}

/**
 * Draws a bar for the phase that a verb is in once it has lasted a second; nothing unless standard error is a terminal.
 * @param names what the phases are called
 */
export function phaseBars<Phase extends string>(names: Readonly<Record<Phase, string>>): PhaseBars<Phase> {
  const isShown = process.stderr.isTTY === true
  const started = performance.now()
  let bar: SingleBar | undefined
  let current: Phase | undefined
  const end = () => {
    bar?.stop()
    bar = undefined
  }
  const show = (phase: Phase, done: number, total: number) => {
    if (!isShown || performance.now() - started < patienceMs) return
    if (phase !== current) end()
    current = phase
    if (bar === undefined) {
      bar = new SingleBar(
        {
          format: `${names[phase]} [{bar}] {percentage}%  {eta_formatted} left`,
          stream: process.stderr,
          hideCursor: true,
        },
        Presets.shades_classic,
      )
      bar.start(total, done)
    }
    bar.setTotal(total)
    bar.update(done)
  }
  return { show, end }
}
