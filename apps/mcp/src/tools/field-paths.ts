import { isReservedKey, reservedKeyRefusal } from '@specboard/contract'
import { z } from 'zod'

/** The limits of `fields` (walls 3, rule 2). */
const limits = { characters: 4_000, paths: 100, steps: 16 } as const

/** The paths in `fields`. */
export const pathsOf = (fields: string): string[] =>
  fields
    .split(',')
    .map(path => path.trim())
    .filter(path => path !== '')

/** The steps of a path, outermost first. */
export const stepsOf = (path: string): string[] => path.split('.')

/** A comma-separated list of dotted paths into an answer (mcp 9.3). */
export const Fields = z
  .string()
  .max(limits.characters)
  .superRefine((fields, { addIssue }) => {
    const paths = pathsOf(fields)
    const refuse = (type: string, message: string) => addIssue({ code: 'custom', message, params: { type } })
    if (paths.length > limits.paths) return refuse('too_long', `must name at most ${limits.paths} paths`)
    const steps = paths.map(stepsOf)
    if (steps.some(path => path.length > limits.steps))
      refuse('too_long', `must have paths of at most ${limits.steps} steps`)
    if (steps.some(path => path.some(isReservedKey))) refuse('value_error', `steps of its paths ${reservedKeyRefusal}`)
  })
