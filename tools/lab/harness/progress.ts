import { Presets, SingleBar } from 'cli-progress'

/** A progress bar on standard error; draws nothing unless that is a terminal. */
export interface Progress {
  step(by?: number): void
  end(): void
}

/** Draws progress towards a total, with the rate and changing figures. */
export function progress(
  label: string,
  total: number,
  figures: () => Readonly<Record<string, number | string>> = () => ({}),
): Progress {
  const names = Object.keys(figures())
  const bar = new SingleBar(
    {
      format: `${label} [{bar}] {value}/{total} {duration_formatted}${names.map(name => `  ${name} {${name}}`).join('')}`,
      stream: process.stderr,
      noTTYOutput: false,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  bar.start(total, 0, figures())
  return {
    step: (by = 1) => bar.increment(by, figures()),
    end: () => bar.stop(),
  }
}
