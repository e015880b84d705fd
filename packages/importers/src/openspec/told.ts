/** What of an OpenSpec project brings no record of its own is told (imports 1). */
import type { Collected } from '../collected.ts'
import type { Entry } from '../neutral.ts'
import type { SpecFile } from './requirements.ts'

/** An empty file brings nothing. */
export function tellEmpty({ name, text }: Entry, collected: Collected): void {
  if (text?.trim() === '') collected.skipped({ place: { entry: name, line: null } }, 'It is empty.')
}

/** A scenario says what a requirement means: without one it is text. */
export function tellStrayScenarios({ strayScenarios }: SpecFile, { name }: Entry, collected: Collected): void {
  for (const line of strayScenarios)
    collected.notRead(
      { place: { entry: name, line } },
      'A scenario below no requirement; its text is in the description of its spec.',
    )
}
