/**
 * The plans that a PostgreSQL server makes for what this process runs, as reported by the server itself (auto_explain).
 */
import { onServer } from '@specboard/storage/testing'
import { Client } from 'pg'
import { vi } from 'vitest'
import { z } from 'zod'

/**
 * Settings of a server that reports the plan of a statement to whoever runs it, including the plans of what triggers
 * run because of it, if a database asks for that with `loggingPlans`.
 */
export const ableToTellPlans: readonly string[] = [
  'shared_preload_libraries=auto_explain',
  'auto_explain.log_level=notice',
  'auto_explain.log_format=json',
  'auto_explain.log_nested_statements=on',
  'auto_explain.log_analyze=on',
  'auto_explain.log_timing=off',
  // Statistics stay as the test makes them.
  'autovacuum=off',
]

/** The setting of a database with which connections made from then on receive plans. */
export const loggingPlans = 'auto_explain.log_min_duration = 0'

/** A step of a plan, and how many rows it returned and skipped, averaged over its loops. */
const Step = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  Alias: z.string().optional(),
  'CTE Name': z.string().optional(),
  'Subplan Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  'Recheck Cond': z.string().optional(),
  Filter: z.string().optional(),
  'Hash Cond': z.string().optional(),
  'Merge Cond': z.string().optional(),
  'Join Filter': z.string().optional(),
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  get Plans() {
    return z.array(Step).default([])
  },
})
export type Step = z.infer<typeof Step>

const Plan = z.object({ 'Query Text': z.string(), Plan: Step })

/** A statement that ran, and its plan. */
export interface Planned {
  readonly sql: string
  readonly plan: Step
}

/**
 * The statements that run meanwhile on connections of this process, each plan once. The server reports a plan when the
 * statement's transaction ends: `run` has to wait for that.
 */
export async function plansOf(run: () => Promise<unknown>): Promise<Planned[]> {
  const spy = vi.spyOn(Client.prototype, 'emit')
  try {
    await run()
    const texts = spy.mock.calls.flatMap(([event, notice]) => (event === 'notice' ? [textIn(notice)] : []))
    return [...new Set(texts)].flatMap(planIn)
  } finally {
    spy.mockRestore()
  }
}

const Notice = z.object({ message: z.string() })

/** The text of a notice after the duration of the statement. */
const textIn = (notice: unknown): string => Notice.parse(notice).message.replace(/^duration: .*? plan:\n/, '')

function planIn(text: string): Planned[] {
  if (!text.startsWith('{')) return []
  const { 'Query Text': sql, Plan: plan } = Plan.parse(JSON.parse(text))
  return [{ sql, plan }]
}

/** What plans are judged by. */
export interface Stored {
  /** The tables of many rows, as the planner knows. */
  readonly large: ReadonlySet<string>
  /** The indexes that hold some of the rows of their table. */
  readonly partial: ReadonlySet<string>
}

/** @param rows the number of rows from which a table counts as large */
export async function storedIn(url: string, rows: number): Promise<Stored> {
  const named = async (statement: string) =>
    new Set((await onServer<{ name: string }>(url, statement)).map(({ name }) => name))
  const own = `relnamespace = current_schema()::regnamespace`
  return {
    large: await named(
      `select relname::text as name from pg_class where relkind = 'r' and reltuples >= ${rows} and ${own}`,
    ),
    partial: await named(
      `select relname::text as name from pg_class c join pg_index i on i.indexrelid = c.oid
        where i.indpred is not null and ${own}`,
    ),
  }
}

/** From how many loops on a step is one that runs for each of many records. */
const manyLoops = 10

/**
 * The reasons why a statement costs more than what it is about: `scans <table>` for a large table that the plan reads
 * as a whole, in its own order or in that of an index; `reads <table>` for a large table of which at least `many` rows
 * were read; `repeats <index or table>` where they are read for one record after the other.
 */
export function faultsOf({ plan }: Planned, stored: Stored, many: number): string[] {
  const faults = new Set<string>()
  const look = (step: Step, isLimited: boolean) => {
    const table = step['Relation Name']
    if (step['Actual Loops'] >= manyLoops && rowsRead(step) / step['Actual Loops'] >= many)
      faults.add(`repeats ${step['Index Name'] ?? table ?? step['Node Type']}`)
    if (table !== undefined && stored.large.has(table)) {
      if (isScan(step, isLimited, stored)) faults.add(`scans ${table}`)
      else if (rowsRead(step) >= many) faults.add(`reads ${table}`)
    }
    for (const below of step.Plans) look(below, passesOn(step, isLimited))
  }
  look(plan, false)
  return [...faults]
}

/** Whether a step asks for no more rows than it is asked for, or than a limit says. */
const passesOn = (step: Step, isLimited: boolean): boolean =>
  step['Node Type'] === 'Limit' || (step['Node Type'] === 'LockRows' && isLimited)

/** Whether a step reads on until its table ends. */
function isScan(step: Step, isLimited: boolean, { partial }: Stored): boolean {
  if (step['Node Type'] === 'Seq Scan') return true
  if (!/^Index (?:Only )?Scan$/.test(step['Node Type']) || step['Index Cond'] !== undefined) return false
  if (partial.has(step['Index Name'] ?? '')) return false
  return !isLimited || step.Filter !== undefined
}

const rowsRead = (step: Step): number =>
  (step['Actual Rows'] + step['Rows Removed by Filter'] + step['Rows Removed by Index Recheck']) * step['Actual Loops']
