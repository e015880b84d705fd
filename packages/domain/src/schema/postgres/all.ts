import type { Migration } from 'kysely/migration'
import { countedSpecs, countingTriggers } from '../list-counts.ts'
import { texts as runs } from '../migrations/0023_runs.ts'
import { texts as importWrites } from '../migrations/0024_import_writes.ts'
import { texts as searchPace } from '../migrations/0028_search_pace.ts'
import { texts as searchTitles } from '../migrations/0030_search_titles.ts'
import { texts as importGates } from '../migrations/0034_import_gates.ts'
import { texts as earlierSecrets } from '../migrations/0036_earlier_secrets.ts'
import { texts as sessionGeneration } from '../migrations/0037_session_generation.ts'
import { texts as deletedNumbers, triggers as numbering } from '../migrations/0039_deleted_numbers.ts'
import { texts as revisions } from '../migrations/0040_revisions.ts'
import { texts as itemNumbers } from '../migrations/0041_item_numbers.ts'
import { texts as handOvers, keepSettings } from '../migrations/0050_hand_overs.ts'
import { texts as checkpoints, notesAsCheckpoints } from '../migrations/0051_checkpoints.ts'
import { texts as smallChanges } from '../migrations/0052_small_changes.ts'
import { texts as requirementChanges } from '../migrations/0053_requirement_changes.ts'
import { texts as principals } from '../migrations/0060_principals.ts'
import { texts as approvals } from '../migrations/0061_approvals.ts'
import { giveHandles, texts as people } from '../migrations/0062_people.ts'
import { texts as invitations } from '../migrations/0063_invitations.ts'
import { texts as nodeAddresses } from '../migrations/0081_node_addresses.ts'
import { openInPresets, texts as repositories, triggers as unlinking } from '../migrations/0100_repositories.ts'
import { texts as scopes } from '../migrations/0110_scopes.ts'
import { texts as overlapDismissals } from '../migrations/0111_overlap_dismissals.ts'
import { texts as evidence, openReportsInPresets } from '../migrations/0120_evidence.ts'
import { texts as forgeDeliveries } from '../migrations/0121_forge_deliveries.ts'
import { texts as notifications } from '../migrations/0122_notifications.ts'
import { openTestsInPresets, texts as scenarioResults } from '../migrations/0123_scenario_results.ts'
import { texts as proofRuns } from '../migrations/0124_proof_runs.ts'
import { texts as webSessions } from '../migrations/0125_web_sessions.ts'
import { texts as automations } from '../migrations/0126_automations.ts'
import { texts as identities } from '../migrations/0127_identities.ts'
import { notes as notedChanges, triggers as notingChanges } from '../migrations/0128_searched_changes.ts'
import { closeWaiversInPresets, texts as proof } from '../migrations/0129_proof.ts'
import { texts as connections } from '../migrations/0130_connections.ts'
import { texts as workerSigns } from '../migrations/0131_worker_signs.ts'
import { postgresFunction, postgresTrigger } from '../triggers.ts'
import { migration as baseline } from './0021_baseline.ts'
import { migration as attachmentFiles } from './0026_attachment_files.ts'
import { migration as cypher } from './0027_cypher.ts'
import { migration as nodes } from './0029_nodes.ts'
import { migration as wholeNumbers } from './0031_whole_numbers.ts'
import { migration as stretches } from './0032_stretches.ts'
import { migration as splitsAtCommit, splittingFunction } from './0033_splits_at_commit.ts'
import { migration as fullStretches } from './0035_full_stretches.ts'
import { migration as searchedTalk } from './0038_searched_talk.ts'
import { statements } from './statements.ts'

/**
 * Every migration of PostgreSQL, by name; they run in the text order of their names. What both databases take is written
 * once.
 */
export const postgresMigrations: Readonly<Record<string, Migration>> = {
  '0021_baseline': baseline,
  '0023_runs': statements(runs),
  '0024_import_writes': statements(importWrites),
  '0026_attachment_files': attachmentFiles,
  '0027_cypher': cypher,
  '0028_search_pace': statements(searchPace),
  '0029_nodes': nodes,
  '0030_search_titles': statements(searchTitles),
  '0031_whole_numbers': wholeNumbers,
  '0032_stretches': stretches,
  '0033_splits_at_commit': splitsAtCommit,
  '0034_import_gates': statements(importGates),
  '0035_full_stretches': fullStretches,
  '0036_earlier_secrets': statements(earlierSecrets),
  '0037_session_generation': statements(sessionGeneration),
  '0038_searched_talk': searchedTalk,
  '0039_deleted_numbers': statements([...deletedNumbers, ...numbering.flatMap(postgresTrigger)]),
  '0040_revisions': statements(revisions),
  '0041_item_numbers': statements(itemNumbers),
  '0050_hand_overs': {
    up: async db => {
      await statements(handOvers).up(db)
      await keepSettings(db)
    },
  },
  '0051_checkpoints': {
    up: async db => {
      await statements(checkpoints).up(db)
      await notesAsCheckpoints(db)
    },
  },
  '0052_small_changes': statements([
    ...smallChanges,
    ...countingTriggers(countedSpecs).map(postgresFunction),
    splittingFunction(countedSpecs),
  ]),
  '0053_requirement_changes': statements(requirementChanges),
  '0060_principals': statements(principals),
  '0061_approvals': statements(approvals),
  '0062_people': {
    up: async db => {
      await statements(people).up(db)
      await giveHandles(db)
    },
  },
  '0063_invitations': statements(invitations),
  '0081_node_addresses': statements(nodeAddresses),
  '0110_scopes': statements(scopes),
  '0100_repositories': {
    up: async db => {
      await statements([...repositories, ...unlinking.flatMap(postgresTrigger)]).up(db)
      await openInPresets(db)
    },
  },
  '0111_overlap_dismissals': statements(overlapDismissals),
  '0120_evidence': {
    up: async db => {
      await statements(evidence).up(db)
      await openReportsInPresets(db)
    },
  },
  '0121_forge_deliveries': statements(forgeDeliveries),
  '0122_notifications': statements(notifications),
  '0123_scenario_results': {
    up: async db => {
      await statements(scenarioResults).up(db)
      await openTestsInPresets(db)
    },
  },
  '0124_proof_runs': statements(proofRuns),
  '0125_web_sessions': statements(webSessions),
  '0126_automations': statements(automations),
  '0127_identities': statements(identities),
  '0128_searched_changes': statements([...notingChanges.flatMap(postgresTrigger), ...notedChanges]),
  '0129_proof': {
    up: async db => {
      await statements(proof).up(db)
      await closeWaiversInPresets(db)
    },
  },
  '0130_connections': statements(connections),
  '0131_worker_signs': statements(workerSigns),
}
