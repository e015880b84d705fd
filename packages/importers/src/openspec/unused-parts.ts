/** Reports the parts of an OpenSpec project that become no record (imports 1). */
import type { Collection } from '../collected.ts'
import type { Entry } from '../neutral.ts'
import type { SpecFile } from './requirements.ts'

/** Reports an empty file. */
export function reportEmpty({ name, text }: Entry, collected: Collection): void {
  if (text?.trim() === '') collected.skipped({ place: { entry: name, line: null } }, 'It is empty.')
}

/** Reports scenarios without a requirement, which are kept as text. */
export function reportStrayScenarios({ strayScenarios }: SpecFile, { name }: Entry, collected: Collection): void {
  for (const line of strayScenarios)
    collected.notRead(
      { place: { entry: name, line } },
      'A scenario outside a requirement; its text is in the description of its spec.',
    )
}
