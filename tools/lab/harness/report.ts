import { availableParallelism, loadavg } from 'node:os'
import { version } from '../../../apps/cli/src/version.ts'
import { p50, percentile } from './statistics.ts'

/** A value of a figure: a number is shown with three digits, a text unchanged. */
export type Cell = number | string

/** The values of a measurement by name; a name may end with a unit, as in `p50 ms`. */
export type Figure = Readonly<Record<string, Cell>> & { readonly name: string }

const units = /^(?:(.*) )?(ms|s|MiB|kB)$/

/** A number with three significant digits; integers unchanged. */
export function shown(cell: Cell): string {
  if (typeof cell === 'string' || !Number.isFinite(cell)) return String(cell)
  if (Number.isInteger(cell) || Math.abs(cell) >= 100) return Math.round(cell).toLocaleString('en')
  return cell.toFixed(Math.abs(cell) >= 10 ? 1 : Math.abs(cell) >= 1 ? 2 : 3)
}

/** Prints the figures of a run and keeps them: as lines and tables, or as JSON at the end. */
export class Report {
  readonly figures: Figure[] = []
  /** The expectations that failed. */
  readonly broken: string[] = []
  readonly #print: (line: string) => void
  readonly #loadBefore = loadOfMachine()

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  /** Prints a line that is not a figure. */
  say(line: string): void {
    this.#print(line)
  }

  /** Prints a figure on a line of its own. */
  figure(name: string, values: Readonly<Record<string, Cell>>): void {
    this.figures.push({ name, ...values })
    const words = Object.entries(values).map(([key, cell]) => {
      const [, label, unit] = units.exec(key) ?? [undefined, key]
      return [label, shown(cell), unit].filter(Boolean).join(' ').padEnd(14)
    })
    this.#print(`${name.padEnd(44)} ${words.join('  ').trimEnd()}`)
  }

  /** Prints how long calls took: the median, two high percentiles and the longest. */
  times(name: string, took: readonly number[], more: Readonly<Record<string, Cell>> = {}): void {
    const high = { 'p95 ms': percentile(took, 0.95), 'p99 ms': percentile(took, 0.99), 'longest ms': Math.max(...took) }
    this.figure(name, { 'p50 ms': p50(took), ...high, ...more })
  }

  /** Begins a table; each call of the returned function prints a row. */
  table(first: string, ...columns: readonly string[]): (name: string, ...cells: readonly Cell[]) => void {
    const wide = columns.map(column => Math.max(12, column.length + 2))
    const print = (name: string, cells: readonly string[]) =>
      this.#print(
        name.padEnd(Math.max(30, first.length)) + cells.map((cell, place) => cell.padStart(wide[place] ?? 12)).join(''),
      )
    print(first, columns)
    return (name, ...cells) => {
      this.figures.push({ name, ...Object.fromEntries(cells.map((cell, place) => [columns[place]!, cell])) })
      print(name, cells.map(shown))
    }
  }

  /** Records a failed expectation, which makes the run fail. */
  expect(holds: boolean, expectation: string): void {
    if (!holds) this.broken.push(expectation)
  }

  /**
   * Prints the outcome of a command's rounds, also as a row of the table of runs in `docs/reliability.md`.
   * @param rounds how many, or what was tested in words
   * @param args the arguments of the command, if not the number of rounds
   */
  run(command: string, rounds: number | string, figures: readonly string[], args: number | string = rounds): void {
    for (const line of figures) this.#print(line)
    this.figures.push({ name: command, rounds, outcome: figures.join('; ') })
    const today = new Date().toISOString().slice(0, 10)
    this.#print(
      `| ${today} | ${version} | \`${typeof args === 'number' ? `${command} ${args}` : command}\` | ${rounds} | ${figures.join('; ')} |`,
    )
  }

  /** The load of the machine before and after, for comparing runs. */
  end(): { readonly cores: number; readonly load: readonly [before: number, after: number] } {
    return { cores: availableParallelism(), load: [this.#loadBefore, loadOfMachine()] }
  }
}

const loadOfMachine = (): number => Math.round(loadavg()[0]! * 10) / 10
