import type { Migration } from 'kysely/migration'
import { migration as access } from './0001_access.ts'
import { migration as planningChain } from './0002_planning_chain.ts'
import { migration as delivery } from './0003_delivery.ts'
import { migration as guidelinesDiscovery } from './0004_guidelines_discovery.ts'
import { migration as architecture } from './0005_architecture.ts'
import { migration as knowledgeGraph } from './0006_knowledge_graph.ts'
import { migration as mcpSessions } from './0007_mcp_sessions.ts'
import { migration as leanWrites } from './0008_lean_writes.ts'
import { migration as uploadTickets } from './0009_upload_tickets.ts'
import { migration as analytics } from './0010_analytics.ts'
import { migration as trust } from './0011_trust.ts'
import { migration as growth } from './0012_growth.ts'
import { migration as work, note as workNote } from './0013_work.ts'
import { migration as done, note as doneNote } from './0014_done.ts'
import { migration as events } from './0015_events.ts'
import { migration as search } from './0016_search.ts'
import { migration as webhooks } from './0017_webhooks.ts'
import { migration as exchange } from './0018_exchange.ts'
import { migration as inbox } from './0019_inbox.ts'
import { migration as answers } from './0020_answers.ts'
import { migration as splits } from './0021_splits.ts'
import { migration as runs } from './0023_runs.ts'
import { migration as importWrites } from './0024_import_writes.ts'
import { migration as searchPace } from './0028_search_pace.ts'
import { migration as nodes } from './0029_nodes.ts'
import { migration as searchTitles } from './0030_search_titles.ts'
import { migration as stretches } from './0032_stretches.ts'
import { migration as importGates } from './0034_import_gates.ts'
import { migration as fullStretches } from './0035_full_stretches.ts'
import { migration as earlierSecrets } from './0036_earlier_secrets.ts'
import { migration as sessionGeneration } from './0037_session_generation.ts'
import { migration as searchedTalk } from './0038_searched_talk.ts'
import { migration as deletedNumbers } from './0039_deleted_numbers.ts'
import { migration as revisions } from './0040_revisions.ts'
import { migration as itemNumbers } from './0041_item_numbers.ts'
import { migration as handOvers, note as handOversNote } from './0050_hand_overs.ts'
import { migration as checkpoints } from './0051_checkpoints.ts'
import { migration as smallChanges, note as smallChangesNote } from './0052_small_changes.ts'
import { migration as requirementChanges } from './0053_requirement_changes.ts'
import { migration as principals } from './0060_principals.ts'
import { migration as approvals } from './0061_approvals.ts'
import { migration as people, note as peopleNote } from './0062_people.ts'
import { migration as invitations } from './0063_invitations.ts'
import { migration as nodeAddresses } from './0081_node_addresses.ts'
import { migration as repositories, note as repositoriesNote } from './0100_repositories.ts'
import { migration as scopes } from './0110_scopes.ts'
import { migration as overlapDismissals } from './0111_overlap_dismissals.ts'
import { migration as evidence, note as evidenceNote } from './0120_evidence.ts'
import { migration as forgeDeliveries } from './0121_forge_deliveries.ts'
import { migration as notifications } from './0122_notifications.ts'
import { migration as scenarioResults, note as scenarioResultsNote } from './0123_scenario_results.ts'
import { migration as proofRuns } from './0124_proof_runs.ts'
import { migration as webSessions } from './0125_web_sessions.ts'
import { migration as automations } from './0126_automations.ts'
import { migration as identities } from './0127_identities.ts'
import { migration as searchedChanges } from './0128_searched_changes.ts'
import { migration as proof, note as proofNote } from './0129_proof.ts'
import { migration as connections } from './0130_connections.ts'
import { migration as workerSigns } from './0131_worker_signs.ts'

/** Every migration, by name; they run in the text order of their names. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_access': access,
  '0002_planning_chain': planningChain,
  '0003_delivery': delivery,
  '0004_guidelines_discovery': guidelinesDiscovery,
  '0005_architecture': architecture,
  '0006_knowledge_graph': knowledgeGraph,
  '0007_mcp_sessions': mcpSessions,
  '0008_lean_writes': leanWrites,
  '0009_upload_tickets': uploadTickets,
  '0010_analytics': analytics,
  '0011_trust': trust,
  '0012_growth': growth,
  '0013_work': work,
  '0014_done': done,
  '0015_events': events,
  '0016_search': search,
  '0017_webhooks': webhooks,
  '0018_exchange': exchange,
  '0019_inbox': inbox,
  '0020_answers': answers,
  '0021_splits': splits,
  '0023_runs': runs,
  '0024_import_writes': importWrites,
  '0028_search_pace': searchPace,
  '0029_nodes': nodes,
  '0030_search_titles': searchTitles,
  '0032_stretches': stretches,
  '0034_import_gates': importGates,
  '0035_full_stretches': fullStretches,
  '0036_earlier_secrets': earlierSecrets,
  '0037_session_generation': sessionGeneration,
  '0038_searched_talk': searchedTalk,
  '0039_deleted_numbers': deletedNumbers,
  '0040_revisions': revisions,
  '0041_item_numbers': itemNumbers,
  '0050_hand_overs': handOvers,
  '0051_checkpoints': checkpoints,
  '0052_small_changes': smallChanges,
  '0053_requirement_changes': requirementChanges,
  '0060_principals': principals,
  '0061_approvals': approvals,
  '0062_people': people,
  '0063_invitations': invitations,
  '0081_node_addresses': nodeAddresses,
  '0110_scopes': scopes,
  '0100_repositories': repositories,
  '0111_overlap_dismissals': overlapDismissals,
  '0120_evidence': evidence,
  '0121_forge_deliveries': forgeDeliveries,
  '0122_notifications': notifications,
  '0123_scenario_results': scenarioResults,
  '0124_proof_runs': proofRuns,
  '0125_web_sessions': webSessions,
  '0126_automations': automations,
  '0127_identities': identities,
  '0128_searched_changes': searchedChanges,
  '0129_proof': proof,
  '0130_connections': connections,
  '0131_worker_signs': workerSigns,
}

/** What migrations decided for data that existed, by name: the log says so when one has run. */
export const migrationNotes: Readonly<Record<string, string>> = {
  '0013_work': workNote,
  '0014_done': doneNote,
  '0050_hand_overs': handOversNote,
  '0052_small_changes': smallChangesNote,
  '0062_people': peopleNote,
  '0100_repositories': repositoriesNote,
  '0120_evidence': evidenceNote,
  '0123_scenario_results': scenarioResultsNote,
  '0129_proof': proofNote,
}
