/** A line of the table. */
export interface Row {
  readonly attack: string
  readonly by: string
  readonly answers: string
  /** Processor time of a request of the costliest variation, with its name. */
  readonly processor: string
  readonly p50: string
  readonly slowest: string
  readonly left: string
  readonly held: string
}

export const titles: Row = {
  attack: 'attack',
  by: 'by',
  answers: 'answers',
  processor: 'CPU a request',
  p50: '/health p50',
  slowest: 'slowest',
  left: 'left',
  held: 'held',
}

export function print({ attack, by, answers, processor, p50, slowest, left, held }: Row): void {
  const start = `${attack.padEnd(66)} ${by.padEnd(8)} ${answers.padEnd(36)}`
  console.log(
    `${start} ${processor.padEnd(40)} ${p50.padStart(11)} ${slowest.padStart(8)} ${left.padStart(8)}  ${held}`,
  )
}
