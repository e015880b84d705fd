import type { ReadWrite } from '../schema/database.ts'

/**
 * Thrown by a unit of work that finds more to do first than one unit may do. The service does that in pieces, one such
 * work of a name at a time, and then runs the unit again.
 */
export class PrerequisiteWork extends Error {
  override readonly name: string
  readonly run: (database: ReadWrite) => Promise<void>

  constructor(name: string, run: (database: ReadWrite) => Promise<void>) {
    super(`Not everything was done before: ${name}`)
    this.name = name
    this.run = run
  }
}
