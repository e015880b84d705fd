import type { ReadWrite } from '../schema/database.ts'

/**
 * Thrown by a unit of work that finds more preparatory work than one unit may do. The service does that work in pieces,
 * one at a time for each name, and then runs the unit again.
 */
export class PrerequisiteWork extends Error {
  override readonly name: string
  readonly run: (database: ReadWrite) => Promise<void>

  constructor(name: string, run: (database: ReadWrite) => Promise<void>) {
    super(`Preparatory work is not done: ${name}`)
    this.name = name
    this.run = run
  }
}
