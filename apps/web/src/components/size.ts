import { fixed, number } from '../messages/format.ts'

const steps = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in a readable unit. */
export function sizeOf(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), steps.length - 1)
  const value = bytes / 1_024 ** step
  return `${step > 1 && value < 10 ? fixed(value, 1) : number(Math.round(value))} ${steps[step]}`
}
