import { Presets, SingleBar } from 'cli-progress'
import { sizeText } from './output.ts'

/** The duration from which something gets a bar, ms (exchange 3). */
const patienceMs = 1_000

/** A bar for each phase of a verb, on standard error. */
export interface PhaseBars<Phase extends string> {
  /** @param total null if unknown: then the progress is in bytes, without a percentage */
  readonly show: (phase: Phase, done: number, total: number | null) => void
  readonly end: () => void
}

/**
 * Draws a bar for the current phase of a verb once it has lasted a second; nothing unless standard error is a terminal.
 * @param names the names of the phases
 */
export function phaseBars<Phase extends string>(
  names: Readonly<Record<Phase, string>>,
  stream: NodeJS.WritableStream & { readonly isTTY?: boolean } = process.stderr,
): PhaseBars<Phase> {
  const isShown = stream.isTTY === true
  const started = performance.now()
  let bar: SingleBar | undefined
  let current: Phase | undefined
  const end = () => {
    bar?.stop()
    bar = undefined
  }
  const show = (phase: Phase, done: number, total: number | null) => {
    if (!isShown || performance.now() - started < patienceMs) return
    if (phase !== current) end()
    current = phase
    if (bar === undefined) {
      bar = new SingleBar(
        {
          format:
            total === null ? `${names[phase]}  {size}` : `${names[phase]} [{bar}] {percentage}%  {eta_formatted} left`,
          stream,
          hideCursor: true,
        },
        Presets.shades_classic,
      )
      bar.start(total ?? done, done, { size: sizeText(done) })
    }
    bar.setTotal(total ?? done)
    bar.update(done, { size: sizeText(done) })
  }
  return { show, end }
}
