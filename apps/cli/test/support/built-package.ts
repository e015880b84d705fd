/**
 * Before all tests of a whole run: builds the package, because otherwise the time would count for the first test that
 * starts a command.
 */
import { builtPackage } from './command-line.ts'
import { isWholeRun } from './whole-run.ts'

export default function setup(): void {
  // In a run of a few files, perhaps none starts a command. The workers, which start after this, take it from their
  // environment.
  if (isWholeRun()) process.env.SPECBOARD_TEST_MAIN = builtPackage()
}
