import { features } from '@specboard/contract'
import { scopeOperations } from './delivery/scopes/operations.ts'
import { listWorkers } from './delivery/workers/operations.ts'
import { reportHook } from './insight/hooks/report-hook.ts'
import { implement } from './kernel/implement.ts'

/**
 * The environment of agents: hooks of clients, who works on what, and the files that cards are about (harness 3, 4, 5,
 * 6).
 */
export const harnessOperations = implement(features.harness, {
  ...scopeOperations,
  list_workers: listWorkers,
  report_hook: reportHook,
})
